//! The book: generated pages are up to date, every page is listed, every link leads somewhere.
//!
//! `UPDATE=1 cargo test -p thixo-scene --test pages` writes the generated pages anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use thixo_scene::{preset_pages, reference};

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All pages, by their paths within the book.
fn pages() -> BTreeSet<String> {
    fn walk(folder: &Path, within: &str, all: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            if path.is_dir() {
                walk(&path, &format!("{within}{name}/"), all);
            } else if name.ends_with(".md") {
                all.insert(format!("{within}{name}"));
            }
        }
    }
    let mut all = BTreeSet::new();
    walk(&book(), "", &mut all);
    all
}

/// The text with the lines that list presets made anew.
fn listed(summary: &str) -> String {
    let ours = |line: &&str| !line.trim_start().starts_with("- [") || !line.contains("](presets/");
    let mut lines: Vec<String> = summary.lines().filter(ours).map(String::from).collect();
    let after = lines.iter().position(|l| l.contains("](reference.md)"));
    let after = after.expect("SUMMARY.md lists reference.md");
    let mut list = Vec::new();
    for (file, text) in preset_pages() {
        let title = text.lines().next().unwrap_or_default();
        let title = title.trim_start_matches("# ");
        let indent = if file == "index.md" { "" } else { "  " };
        list.push(format!("{indent}- [{title}](presets/{file})"));
    }
    lines.splice(after + 1..after + 1, list);
    lines.join("\n") + "\n"
}

#[test]
fn generated_pages_are_up_to_date() {
    let presets = preset_pages();
    let names: BTreeSet<String> = presets
        .iter()
        .map(|(n, _)| format!("presets/{n}"))
        .collect();
    let mut made = vec![("reference.md".to_string(), reference())];
    made.extend(
        presets
            .into_iter()
            .map(|(n, text)| (format!("presets/{n}"), text)),
    );
    let summary = read(&book().join("SUMMARY.md"));
    made.push(("SUMMARY.md".into(), listed(&summary)));
    let update = std::env::var_os("UPDATE").is_some();
    let old = pages()
        .into_iter()
        .filter(|p| p.starts_with("presets/") && !names.contains(p));
    let mut wrong: Vec<String> = old.collect();
    if update {
        fs::create_dir_all(book().join("presets")).unwrap();
        for old in wrong.drain(..) {
            fs::remove_file(book().join(old)).unwrap();
        }
    }
    for (name, text) in made {
        let path = book().join(&name);
        if update {
            fs::write(&path, &text).unwrap();
        }
        if fs::read_to_string(&path).ok() != Some(text) {
            wrong.push(name);
        }
    }
    assert!(
        wrong.is_empty(),
        "out of date: {wrong:?}; run UPDATE=1 cargo test -p thixo-scene --test pages"
    );
}

/// The targets of links and pictures in a page, without those in code.
fn links(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        // Every other piece between back-quotes is code.
        let prose: Vec<&str> = line.split('`').step_by(2).collect();
        for rest in prose.join("`").split("](").skip(1) {
            all.push(rest.split(')').next().unwrap_or_default().to_string());
        }
    }
    all
}

/// The anchors of a page's headings, as mdBook and GitHub make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| -> String {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

/// Whether a link of a page leads somewhere; links to other places are not followed.
fn leads(page: &Path, text: &str, link: &str) -> bool {
    if link.contains("://") {
        return true;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_path_buf(),
        file => page.parent().unwrap().join(file),
    };
    if !target.exists() {
        return false;
    }
    let there = if file.is_empty() {
        text.to_string()
    } else {
        fs::read_to_string(&target).unwrap_or_default()
    };
    anchor.is_empty() || anchors(&there).contains(anchor)
}

#[test]
fn every_link_leads_somewhere() {
    let root = book().join("../..");
    let mut all: Vec<PathBuf> = pages().iter().map(|p| book().join(p)).collect();
    all.push(root.join("README.md"));
    let (mut seen, mut wrong) = (0, Vec::new());
    for page in &all {
        let text = read(page);
        for link in links(&text) {
            seen += 1;
            if !leads(page, &text, &link) {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(seen > 50, "only {seen} links are seen");
    assert_eq!(wrong, [""; 0]);
    // Controls: what the test must not let pass.
    let page = book().join("reference.md");
    let text = read(&page);
    for bad in ["no-such.md", "#no-such-heading", "presets/index.md#no-such"] {
        assert!(!leads(&page, &text, bad), "{bad}");
    }
}

#[test]
fn every_page_is_listed() {
    let summary = read(&book().join("SUMMARY.md"));
    let listed: BTreeSet<String> = links(&summary).into_iter().collect();
    let mut pages = pages();
    pages.remove("SUMMARY.md");
    assert_eq!(listed, pages);
    // Every picture is shown somewhere.
    let all: String = pages.iter().map(|p| read(&book().join(p))).collect();
    for entry in fs::read_dir(book().join("pictures")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            all.contains(&format!("(pictures/{name})")),
            "{name} is not shown"
        );
    }
}
