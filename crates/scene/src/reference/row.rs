//! One row of the reference: what a key may be, its unit, its default, what it means.

use serde_json::Value;

use crate::schema::unit_of;

/// The row of a key of a table; a table within it is described in that section.
pub(super) fn row(key: &str, of: &Value, table: &Value, section: &str) -> String {
    let text = of["description"].as_str().unwrap_or_default();
    let unit = unit_of(text).unwrap_or_default().to_string();
    let text = text.replacen(&format!(" [{unit}]"), "", 1);
    let (said, meaning) = default(&text);
    let default = match (&of["default"], said) {
        _ if required(key, table) => "**required**".into(),
        (Value::Null, Some(said)) => said,
        (Value::Null, None) => String::new(),
        // A text that is empty by default says nothing.
        (Value::String(text), _) if text.is_empty() => String::new(),
        (Value::String(text), _) => format!("`\"{text}\"`"),
        (Value::Number(x), _) => format!("`{}`", x.as_f64().unwrap_or(f64::NAN)),
        (other, _) => format!("`{other}`"),
    };
    let value = value(of, section);
    let cells = [
        format!("`{key}`"),
        value,
        unit,
        default,
        meaning + &range(of),
    ];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| {} |", cells.join(" | "))
}

/// The heading of the section of a table within a table.
pub(super) fn section(key: &str, heading: &str) -> String {
    match heading.split(' ').next() {
        None | Some("" | "The") => key.into(),
        Some(first) => format!("{key} of {first}"),
    }
}

/// Whether a key must be there.
pub(super) fn required(key: &str, table: &Value) -> bool {
    let list = table["required"].as_array();
    list.is_some_and(|all| all.iter().any(|k| k == key))
}

/// Keys that exclude one another, as they are told to the reader.
pub(super) fn groups(table: &Value) -> Vec<String> {
    let groups = table["oneOf"].as_array().into_iter().flatten();
    let keys = |group: &Value| -> Vec<String> {
        let list = group["required"].as_array().into_iter().flatten();
        list.filter_map(Value::as_str)
            .map(|k| format!("`{k}`"))
            .collect()
    };
    groups.map(|group| keys(group).join(" and ")).collect()
}

/// The definitions that a value refers to, alone, in lists or as one of several forms.
pub(super) fn definitions(of: &Value) -> Vec<String> {
    let own = of["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/"));
    let any = of["anyOf"].as_array().into_iter().flatten();
    let inner = any.chain([&of["items"], &of["additionalProperties"]]);
    let inner = inner.filter(|v| v.is_object()).flat_map(definitions);
    own.map(String::from).into_iter().chain(inner).collect()
}

/// What may be written, in words. A table is described in the section `heading`.
pub(super) fn value(of: &Value, heading: &str) -> String {
    if let Some(name) = of["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/")) {
        return match name {
            "Shape" => "[shape](#shapes)".into(),
            "Material" => "[material](#materials)".into(),
            _ => format!("[table](#{})", heading.replace(' ', "-")),
        };
    }
    if let Some(words) = of["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
        return words.join(", ");
    }
    if let Some(word) = of.get("const") {
        return format!("`{word}`");
    }
    if let Some(forms) = of["anyOf"].as_array() {
        let forms: Vec<String> = forms.iter().map(|f| value(f, heading)).collect();
        return forms.join(" or ");
    }
    if of["maxItems"] == 3 {
        return "colour".into();
    }
    let types: Vec<&str> = match &of["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    match types.as_slice() {
        ["number"] | ["number", "string"] => "number".into(),
        ["number", "string", "array"] => "list or number".into(),
        ["string"] if of["pattern"].is_string() => "text with a unit".into(),
        ["string"] => "text".into(),
        ["boolean"] => "`true` or `false`".into(),
        ["array"] if of["items"]["type"].is_array() => "list of lists".into(),
        ["array"] => format!("list: {}", value(&of["items"], heading)),
        ["object"] if of["additionalProperties"].is_object() => {
            format!("by name: {}", value(&of["additionalProperties"], heading))
        }
        ["object"] => {
            let keys = of["properties"].as_object().into_iter().flatten();
            let keys: Vec<String> = keys.map(|(key, _)| format!("`{key}`")).collect();
            format!("table: {}", keys.join(", "))
        }
        other => other.join(" or "),
    }
}

/// The bounds of a number.
fn range(of: &Value) -> String {
    let bounds = [
        ("exclusiveMinimum", "above"),
        ("minimum", "at least"),
        ("exclusiveMaximum", "below"),
        ("maximum", "at most"),
    ];
    let said = bounds.iter().filter_map(|(key, word)| {
        let bound = of.get(key)?.as_f64()?;
        Some(format!("{word} {}", (bound * 1e4).round() / 1e4))
    });
    match said.collect::<Vec<_>>().as_slice() {
        [] => String::new(),
        said => format!(" It is {}.", said.join(" and ")),
    }
}

/// Takes the default out of a description, which says it in one of three ways: `(default X)`,
/// `; X if it says nothing`, or `"X" (default)` among the choices, which then stays.
fn default(text: &str) -> (Option<String>, String) {
    if let Some((before, rest)) = text.split_once(" (default")
        && let Some((said, after)) = rest.split_once(')')
    {
        let said = said.trim_start_matches(':').trim();
        if said.is_empty() {
            let word = before.rsplit(' ').next().unwrap_or_default();
            return (Some(word.into()), text.into());
        }
        return (Some(said.into()), format!("{before}{after}"));
    }
    if let Some((before, after)) = text.split_once(" if it says nothing") {
        let cut = ["; ", ". "].iter().filter_map(|mark| before.rfind(mark));
        if let Some(at) = cut.max() {
            let said = &before[at + 2..];
            return (Some(said.into()), format!("{}{after}", &before[..at]));
        }
    }
    (None, text.into())
}

#[cfg(test)]
mod tests {
    use super::default;

    #[test]
    fn defaults_are_found() {
        for (text, said, meaning) in [
            ("From when (default 0).", Some("0"), "From when."),
            ("Until (default: always); x.", Some("always"), "Until; x."),
            (
                "`\"a\"` (default) or `\"b\"`.",
                Some("`\"a\"`"),
                "`\"a\"` (default) or `\"b\"`.",
            ),
            ("A; b. C if it says nothing. D.", Some("C"), "A; b. D."),
            ("Which; all if it says nothing.", Some("all"), "Which."),
            ("Nothing.", None, "Nothing."),
        ] {
            assert_eq!(default(text), (said.map(String::from), meaning.into()));
        }
    }
}
