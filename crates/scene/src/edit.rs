//! `key=value` put over a scene's text, as `--set` does: the rest of the text stays as it was typed.

use toml_edit::{DocumentMut, Item, Key, Table, Value};

use crate::error::SceneError;

/// One change of a scene: where, as keys with dots and numbers of list items
/// (`bodies.0.velocity`, `bodies[0].velocity`), and what.
#[derive(Clone, Debug)]
pub struct Setting {
    /// As typed.
    pub text: String,
    path: Vec<String>,
    value: Value,
}

impl Setting {
    /// The parts of its key.
    pub fn keys(&self) -> Vec<&str> {
        self.path.iter().map(String::as_str).collect()
    }
    /// A number for a key at the top.
    pub(crate) fn number(key: &str, value: f64) -> Self {
        Self {
            text: format!("{key}={value}"),
            path: vec![key.into()],
            value: value.into(),
        }
    }
}

impl std::str::FromStr for Setting {
    type Err = String;
    /// Reads `key=value`. A value that is not TOML is a text, so that quotes that a shell takes away
    /// are not missed: `--set resolution="2 cm"`.
    fn from_str(text: &str) -> Result<Self, String> {
        let Some((key, typed)) = text.split_once('=') else {
            return Err("write key=value, such as resolution=\"2 cm\"".into());
        };
        let dotted = key.trim().replace('[', ".").replace(']', "");
        let path = Key::parse(&dotted)
            .map_err(|_| format!("`{key}` is not a key; write keys with dots between them"))?;
        let typed = typed.trim();
        let value = typed.parse().unwrap_or_else(|_| Value::from(typed));
        Ok(Self {
            text: text.into(),
            path: path.iter().map(|k| k.get().to_string()).collect(),
            value,
        })
    }
}

/// The text with the changes in it.
pub(crate) fn apply(text: &str, file: &str, settings: &[Setting]) -> Result<String, SceneError> {
    if settings.is_empty() {
        return Ok(text.into());
    }
    let mut document: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| {
        let problem = crate::Problem::new(e.span().unwrap_or(0..0), e.message());
        SceneError::place(file, text, problem)
    })?;
    for setting in settings {
        // A law or a preset begins a material; anything else belongs to one that is there.
        if let ["materials", name, key, ..] = setting.keys().as_slice()
            && !["law", "preset"].contains(key)
        {
            let materials = document.get("materials").and_then(Item::as_table_like);
            let known: Vec<&str> =
                materials.map_or(Vec::new(), |m| m.iter().map(|(k, _)| k).collect());
            if !known.contains(name) {
                let help = crate::Problem::unknown(0..0, "material", name, known.into_iter());
                return Err(SceneError::Setting {
                    text: setting.text.clone(),
                    why: format!("{}; {}", help.message, help.help.unwrap_or_default()),
                });
            }
        }
        put(document.as_item_mut(), &setting.path, &setting.value).map_err(|why| {
            SceneError::Setting {
                text: setting.text.clone(),
                why,
            }
        })?;
    }
    Ok(document.to_string())
}

/// Puts a value below an item; tables that are missing are made.
fn put(item: &mut Item, path: &[String], value: &Value) -> Result<(), String> {
    let Some((key, rest)) = path.split_first() else {
        *item = Item::Value(value.clone());
        return Ok(());
    };
    let place = |n: usize| -> Result<usize, String> {
        let index = key.parse::<usize>().ok().filter(|i| *i < n);
        index.ok_or_else(|| match n {
            0 => format!("there is no item `{key}`: the list is empty"),
            n => format!(
                "there is no item `{key}`: the list has items 0 to {}",
                n - 1
            ),
        })
    };
    if let Some(tables) = item.as_array_of_tables_mut() {
        let index = place(tables.len())?;
        let table = tables.get_mut(index).ok_or("the list is empty")?;
        let mut inner = Item::Table(std::mem::take(table));
        let done = put(&mut inner, rest, value);
        if let Item::Table(inner) = inner {
            *table = inner;
        }
        return done;
    }
    if let Some(array) = item.as_array_mut() {
        let index = place(array.len())?;
        let entry = array.get_mut(index).ok_or("the list is empty")?;
        let mut inner = Item::Value(entry.clone());
        put(&mut inner, rest, value)?;
        if let Item::Value(inner) = inner {
            *entry = inner;
        }
        return Ok(());
    }
    let inline = item.is_inline_table();
    let Some(table) = item.as_table_like_mut() else {
        return Err(format!("there is no `{key}` below a plain value"));
    };
    match table.get_mut(key) {
        // What is decorated with spaces and comments keeps them.
        Some(Item::Value(old)) if rest.is_empty() => {
            let decor = old.decor().clone();
            *old = value.clone();
            *old.decor_mut() = decor;
            Ok(())
        }
        Some(inner) => put(inner, rest, value),
        None => {
            let mut inner = match (rest.is_empty(), inline) {
                (true, _) => Item::None,
                (false, true) => Item::Value(Value::InlineTable(Default::default())),
                (false, false) => {
                    let mut table = Table::new();
                    table.set_implicit(rest.len() > 1);
                    Item::Table(table)
                }
            };
            put(&mut inner, rest, value)?;
            table.insert(key, inner);
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, settings: &[&str]) -> Result<String, String> {
        let settings: Vec<Setting> = settings.iter().map(|s| s.parse().unwrap()).collect();
        apply(text, "file", &settings).map_err(|e| e.to_string())
    }

    #[test]
    fn values_are_put_and_the_rest_stays() {
        let text = "# A scene\nresolution = 0.1 # coarse\n[[bodies]]\nmaterial = \"a\"\n\
                    shape = { sphere = { radius = 1, center = [0, 1] } }\n[[bodies]]\n";
        let to = edited(
            text,
            &[
                "resolution=2 cm",
                "bodies[0].shape.sphere.radius=0.5",
                "bodies.0.shape.sphere.center.1 = \"3 m\"",
                "materials.a.law=snow",
                "numerics.seed=3",
            ],
        );
        let to = to.unwrap();
        assert!(
            to.starts_with("# A scene\nresolution = \"2 cm\" # coarse\n"),
            "{to}"
        );
        assert!(
            to.contains("sphere = { radius = 0.5, center = [0, \"3 m\"] }"),
            "{to}"
        );
        assert!(to.contains("[materials.a]\nlaw = \"snow\""), "{to}");
        assert!(to.contains("[numerics]\nseed = 3"), "{to}");
        assert_eq!(edited(text, &[]).unwrap(), text);
    }

    #[test]
    fn what_cannot_be_is_said() {
        let text = "resolution = 1\n[[bodies]]\nmaterial = \"a\"\n";
        let e = edited(text, &["bodies.1.material=b"]).unwrap_err();
        assert!(e.contains("items 0 to 0"), "{e}");
        let e = edited(text, &["resolution.x=1"]).unwrap_err();
        assert!(e.contains("plain value"), "{e}");
        let text = "[materials.sand]\nlaw = \"sand\"\n";
        let e = edited(text, &["materials.sandd.density=3"]).unwrap_err();
        assert!(e.contains("did you mean `sand`"), "{e}");
        assert!("nothing".parse::<Setting>().is_err());
        assert!("=1".parse::<Setting>().is_err());
        assert!("a..b=1".parse::<Setting>().is_err());
    }
}
