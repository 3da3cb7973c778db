//! Every scene in the book is a scene: it is read, agrees with the schema, is built and steps.
//!
//! A block marked `toml` is a whole scene. One marked `toml,fragment` is put over a base scene.

mod validator;

use std::fs;
use std::path::Path;

use thixo_grid::Exec;
use thixo_scene::Scene;
use toml_edit::{DocumentMut, Item, Table};
use validator::Validator;

/// What fragments are put over: their tables are joined with these, their lists replace these.
const BASE: &str = r#"
resolution = "10 cm"
[materials.snow]
law = "snow"
density = "400 kg/m^3"
[materials.water]
law = "liquid"
density = "1000 kg/m^3"
bulk_modulus = "300 kPa"
[[bodies]]
material = "snow"
shape = { sphere = { center = [0, "60 cm", 0], radius = "30 cm" } }
[[colliders]]
name = "ground"
shape = { half_space = { normal = [0, 1, 0] } }
contact = "sticky"
"#;

/// A block of a page: where it stands, and whether it is a whole scene.
struct Block {
    at: String,
    whole: bool,
    text: String,
}

/// The TOML blocks of a page.
fn blocks(name: &str, page: &str) -> Vec<Block> {
    let mut all = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((n, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let inner = lines.by_ref().take_while(|(_, l)| *l != "```");
        let text: String = inner.map(|(_, l)| format!("{l}\n")).collect();
        if info == "toml" || info == "toml,fragment" {
            let (at, whole) = (format!("{name}:{}", n + 1), info == "toml");
            all.push(Block { at, whole, text });
        } else {
            assert!(!info.contains("toml"), "{name}:{}: ```{info}", n + 1);
        }
    }
    all
}

/// The blocks of the book and of the README.
fn all_blocks() -> Vec<Block> {
    fn walk(folder: &Path, all: &mut Vec<Block>) {
        let mut paths: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                walk(&path, all);
            } else if path.extension().is_some_and(|e| e == "md") {
                let page = fs::read_to_string(&path).unwrap();
                all.extend(blocks(&path.display().to_string(), &page));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = blocks(
        "README.md",
        &fs::read_to_string(root.join("README.md")).unwrap(),
    );
    walk(&root.join("book/src"), &mut all);
    all
}

fn join(base: &mut Table, over: &Table) {
    for (key, item) in over {
        match (
            base.get_mut(key).and_then(Item::as_table_mut),
            item.as_table(),
        ) {
            (Some(below), Some(above)) => join(below, above),
            _ => {
                base.insert(key, item.clone());
            }
        }
    }
}

/// The whole scene of a block.
fn scene(block: &Block) -> String {
    if block.whole {
        return block.text.clone();
    }
    let mut base: DocumentMut = BASE.parse().unwrap();
    let over: DocumentMut = block
        .text
        .parse()
        .unwrap_or_else(|e| panic!("{}: {e}", block.at));
    join(base.as_table_mut(), over.as_table());
    base.to_string()
}

/// Reads a scene, holds it to the schema, builds it and takes one step; says what went wrong.
fn tried(validator: &Validator, text: &str) -> Result<(), String> {
    let draft = ["resolution=\"draft\"".parse()?];
    let scene = Scene::parse(text, "scene", "scene", Path::new("")).map_err(|e| e.to_string())?;
    validator.check(text)?;
    let periodic = !scene.spec.periodic.is_empty();
    // A period fixes which cells fit.
    let settings = if periodic { &[][..] } else { &draft[..] };
    let scene = Scene::parse_with(text, "scene", "scene", Path::new(""), settings);
    let scene = scene.map_err(|e| e.to_string())?;
    let exec = Exec::new(1).map_err(|e| e.to_string())?;
    let end = scene.frame_time(1);
    match scene.dimension {
        2 => {
            let mut world = scene.build::<f32, 2>(exec).map_err(|e| e.to_string())?;
            world.step(end).map_err(|e| e.to_string())?;
        }
        _ => {
            let mut world = scene.build::<f32, 3>(exec).map_err(|e| e.to_string())?;
            world.step(end).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

#[test]
fn every_scene_of_the_book_runs() {
    let validator = Validator::new();
    let (mut whole, mut fragments, mut wrong) = (0, 0, String::new());
    for block in all_blocks() {
        *(if block.whole {
            &mut whole
        } else {
            &mut fragments
        }) += 1;
        if let Err(why) = tried(&validator, &scene(&block)) {
            wrong += &format!("{}: {why}\n", block.at);
        }
    }
    println!("{whole} scenes, {fragments} fragments");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(
        whole >= 5 && fragments >= 5,
        "{whole} scenes, {fragments} fragments"
    );
}

/// Controls: blocks that the test above must refuse.
#[test]
fn a_wrong_block_is_seen() {
    let validator = Validator::new();
    for text in [
        "gravty = [0, -1, 0]",
        "[[bodies]]\nmaterial = \"snow\"\nshape = { sphre = { radius = 1 } }",
        "[numerics]\nkernel = \"quartic\"",
        "[materials.mine]\npreset = \"no-such\"",
    ] {
        let page = format!("# Page\n\n```toml,fragment\n{text}\n```\n");
        let found = blocks("page", &page);
        assert_eq!((found.len(), found[0].at.as_str()), (1, "page:3"));
        assert!(tried(&validator, &scene(&found[0])).is_err(), "{text}");
    }
    assert!(tried(&validator, BASE).is_ok());
}
