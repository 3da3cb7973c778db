//! What inputs are made from: the scenes of the project, random ones, small states and meshes.

use std::fs;
use std::path::Path;

use thixo::{Simulation, Threads};
use thixo_scene::Scene;
use thixo_scene::registry::SCENES;

use crate::rng::Rng;
use crate::scenes::{Wish, random};

/// About how many particles a built-in scene has at its corpus resolution.
const FEW: f64 = 300.0;
/// How many random scenes there are.
const RANDOM: u64 = 60;

const OWN: [&str; 2] = [
    include_str!("../corpus/plane.toml"),
    include_str!("../corpus/space.toml"),
];

/// Scene texts: the built-in ones as they are and with few particles, those of the book, one of every
/// key, and random ones.
pub fn scenes() -> Vec<Vec<u8>> {
    let mut all: Vec<String> = SCENES.iter().map(|(_, text)| text.to_string()).collect();
    all.extend(coarse());
    all.extend(OWN.map(String::from));
    all.extend(book());
    all.extend((0..RANDOM).map(|i| random(&mut Rng::new(1, i), &Wish::small()).text));
    all.into_iter().map(String::into_bytes).collect()
}

/// The built-in scenes with few particles.
pub fn coarse() -> Vec<String> {
    let small = |text: &str| -> Option<String> {
        let scene = Scene::parse(text, "corpus", "corpus", Path::new("")).ok()?;
        let (cell, n) = (scene.cell_size().ok()?, scene.expected_particles().ok()?);
        let ratio = (n / FEW).max(1.0).powf(1.0 / scene.dimension as f64);
        // Two digits, so that a mutation of one digit means something.
        let cell = format!("{:.1e}", cell * ratio).parse().ok()?;
        Some(scene.at_resolution(cell).ok()?.text)
    };
    SCENES.iter().filter_map(|(_, text)| small(text)).collect()
}

/// The whole scenes that the book shows, if its text is at hand; fragments are marked otherwise.
fn book() -> Vec<String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../book"));
    let mut files = Vec::new();
    pages(folder, &mut files);
    files.sort();
    let mut scenes = Vec::new();
    for text in files {
        for block in text.split("```toml\n").skip(1) {
            scenes.extend(block.split("```").next().map(String::from));
        }
    }
    scenes
}

fn pages(folder: &Path, texts: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages(&path, texts);
        } else if path.extension().is_some_and(|e| e == "md") {
            texts.extend(fs::read_to_string(&path));
        }
    }
}

/// Small runs after a few steps: two and three dimensions, both precisions, every law.
pub fn runs() -> Result<Vec<Simulation>, String> {
    let mut runs = Vec::new();
    let laws = thixo::material::cards();
    for (i, law) in laws.iter().enumerate() {
        let wish = Wish {
            dimension: Some(2 + i % 2),
            precision: Some(["f32", "f64"][(i / 2) % 2]),
            law: Some(law.name),
            ..Wish::tiny()
        };
        let made = random(&mut Rng::new(2, i as u64), &wish);
        let why = |e: &dyn std::error::Error| format!("{}: {e}\n{}", law.name, made.text);
        let scene = Scene::parse(&made.text, "corpus", "corpus", Path::new(""));
        let scene = scene.map_err(|e| why(&e))?;
        let mut run = Simulation::new(scene, Threads::Exactly(1)).map_err(|e| why(&e))?;
        for _ in 0..5 {
            run.step().map_err(|e| why(&e))?;
        }
        runs.push(run);
    }
    Ok(runs)
}

/// Puts the meshes that scenes name into a folder.
pub fn files(folder: &Path) -> Result<(), String> {
    for (name, bytes) in [
        ("tetra.obj", TETRA.as_bytes().to_vec()),
        ("box.obj", CUBE.as_bytes().to_vec()),
        ("tetra.stl", binary(&tetra())),
    ] {
        fs::write(folder.join(name), bytes).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Small meshes of a kind.
pub fn meshes(ending: &str) -> Vec<Vec<u8>> {
    match ending {
        "obj" => vec![TETRA.into(), CUBE.into(), BARE.into()],
        _ => vec![binary(&tetra()), letters(&tetra()).into_bytes()],
    }
}

/// Small solid meshes of a kind, as tetrahedra and as triangles.
pub fn solids(ending: &str) -> Vec<Vec<u8>> {
    let all: &[&str] = match ending {
        "msh" => &[MSH_2, MSH_4],
        _ => &[VTK_3, VTK_5],
    };
    all.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const MSH_2: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1.5\n\
                     $EndNodes\n$Elements\n4\n1 15 2 0 1 1\n2 2 2 0 1 1 2 3\n3 4 2 0 1 1 2 3 4\n4 4 0 5 2 3 4\n\
                     $EndElements\n";
const MSH_4: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n2 4 1 4\n1 1 1 1\n4\n1 1 0 0.5\n2 1 0 3\n1\n2\n3\n\
                     0 0 0\n1 0 0\n0 1 0\n$EndNodes\n$Elements\n2 3 1 3\n1 1 1 1\n1 1 2\n2 1 2 2\n2 1 2 3\n3 2 4 3\n\
                     $EndElements\n";
const VTK_3: &str = "# vtk DataFile Version 3.0\na\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0\n0 1 0\n\
                     0 0 1 1 1 1.5\nCELLS 3 12\n4 0 1 2 3\n4 4 1 2 3\n1 0\nCELL_TYPES 3\n10\n10\n1\nPOINT_DATA 5\n";
const VTK_5: &str = "# vtk DataFile Version 5.1\na\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0\n0 1 0\n\
                     1 1 0\nMETADATA\nINFORMATION 0\n\nCELLS 3 6\nOFFSETS vtktypeint64\n0 3 6\n\
                     CONNECTIVITY vtktypeint64\n0 1 2 1 3 2\nCELL_TYPES 2\n5\n5\n";

const TETRA: &str = "# A tetrahedron\no tetra\nv 0 0 0\nv 0.5 0 0\nv 0 0.5 0\nv 0 0 0.5\n\
                     f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
const CUBE: &str = "mtllib a.mtl\nv -0.4 0 -0.4\nv 0.4 0 -0.4\nv 0.4 0 0.4\nv -0.4 0 0.4\nv -0.4 0.2 -0.4\n\
                    v 0.4 0.2 -0.4\nv 0.4 0.2 0.4\nv -0.4 0.2 0.4\nvn 0 1 0\nvt 0 0\ng box\nusemtl stone\ns off\n\
                    f 1//1 2//1 3//1 4//1\nf 5/1/1 8/1/1 7/1/1 6/1/1\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n";
const BARE: &str = "v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nv 0 0 1 1\nv 2e0 2.0 2\nf -5 -3 -4\nf -5 -4 -2\nf -4 -3 -2\nf -3 -5 -2\nl 1 2\np 5\n";

type Triangle = [[f32; 3]; 3];

fn tetra() -> Vec<Triangle> {
    let v = [
        [0.0, 0.0, 0.0],
        [0.3, 0.0, 0.0],
        [0.0, 0.3, 0.0],
        [0.0, 0.0, 0.3],
    ];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    faces.map(|f| f.map(|i| v[i])).to_vec()
}

/// A binary STL file.
fn binary(triangles: &[Triangle]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for t in triangles {
        bytes.extend([0u8; 12]);
        bytes.extend(t.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0, 0]);
    }
    bytes
}

/// A text STL file.
fn letters(triangles: &[Triangle]) -> String {
    let mut text = "solid tetra\n".to_string();
    for t in triangles {
        text += "facet normal 0 0 1\nouter loop\n";
        for [x, y, z] in t {
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid tetra\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{DEPTHS, Depth, Target, make};

    /// What is mutated is good before: else only refusals are tried.
    #[test]
    fn the_corpus_itself_gets_through() {
        let folder = tempfile::tempdir().unwrap();
        let mut scene = make("scene", folder.path()).unwrap();
        let mut depths = [0; 4];
        for text in scenes() {
            let depth = scene.take(&text).unwrap();
            depths[DEPTHS.iter().position(|d| *d == depth).unwrap()] += 1;
        }
        let (all, used) = (depths.iter().sum::<usize>(), depths[3]);
        assert!(used * 10 > all * 7, "{depths:?}");
        for text in OWN {
            assert_eq!(scene.take(text.as_bytes()), Ok(Depth::Used), "{text}");
        }
        for ending in ["obj", "stl"] {
            let mut mesh = make(ending, folder.path()).unwrap();
            for bytes in meshes(ending) {
                assert_eq!(mesh.take(&bytes), Ok(Depth::Used));
            }
        }
        for ending in ["msh", "vtk"] {
            let mut solid = make(ending, folder.path()).unwrap();
            for bytes in solids(ending) {
                assert_eq!(solid.take(&bytes), Ok(Depth::Used));
            }
        }
    }

    #[test]
    fn states_that_are_not_mutated_are_restored() {
        let mut target = crate::target::Checkpoint::new(true).unwrap();
        for (i, run) in runs().unwrap().iter().enumerate() {
            let meta = thixo_io::checkpoint::Meta {
                scene: i.to_string(),
                ..Default::default()
            };
            let bytes = crate::target::reseal(&run.snapshot(), &meta).unwrap();
            assert_eq!(target.take(&bytes), Ok(Depth::Used));
        }
    }
}
