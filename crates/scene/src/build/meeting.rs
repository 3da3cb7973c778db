//! How free meshes meet each other and themselves.

use thixo_mesh::Mutual;

use super::kind::{Part, part};
use crate::error::{Checked, Problem};
use crate::scene::Scene;
use crate::spec::{Meeting, Spanned, WordOr};
use crate::units::NUMBER;

impl Scene {
    /// How free meshes meet, if two of them can; keys that nothing would heed are refused.
    pub(super) fn mutual(&self) -> Checked<Option<Mutual>> {
        let (contact, own) = (&self.spec.meshes.contact, &self.spec.meshes.self_contact);
        let bodies = self.spec.bodies.iter().map(Spanned::get_ref);
        let free: Vec<_> = bodies.filter(|b| part(b) == Part::Free).collect();
        let solids = free.iter().filter(|b| b.cloth.is_none()).count();
        let within = own.as_ref().is_some_and(|s| *s.get_ref());
        let several = solids > 0 && free.len() > 1;
        let given = contact.as_ref().map(Spanned::span);
        let given = given.map(|at| ("contact", at));
        let given = given.or(own.as_ref().map(|s| ("self_contact", s.span())));
        if let (true, Some((key, at))) = (free.is_empty(), given) {
            let what = format!("`{key}` is for free meshes, and there is none");
            return Err(Problem::new(at, what).help(
                "remove it: particles, and meshes that go through the grid, meet each other there",
            ));
        }
        if let (0, Some(own)) = (solids, own) {
            let what = "`self_contact` is for solids, and all free meshes are cloth";
            return Err(Problem::new(own.span(), what).help(
                "remove it, or write through_grid = true in the bodies: there cloth meets itself",
            ));
        }
        if let (Some(contact), false) = (contact, several || within) {
            let (what, help) = if solids == 0 {
                let help = "remove it, or write through_grid = true in the bodies: there cloth meets cloth";
                ("cloth does not meet cloth", help)
            } else {
                let help = "remove it, or write self_contact = true beside it";
                ("there is one free mesh, and no other for it to meet", help)
            };
            return Err(Problem::new(contact.span(), what).help(help));
        }
        let friction = match contact.as_ref().map(Spanned::get_ref) {
            None | Some(WordOr::Word(Meeting::Separating)) => 0.0,
            Some(WordOr::Word(Meeting::None)) => {
                return match own.as_ref().filter(|_| within) {
                    None => Ok(None),
                    Some(own) => {
                        let what = "a body that meets itself, but no contact";
                        Err(Problem::new(own.span(), what)
                            .help("remove contact = \"none\", or `self_contact`"))
                    }
                };
            }
            Some(WordOr::Table(f)) => f.friction.within("friction", NUMBER, 0.0, f64::INFINITY)?,
        };
        Ok((several || within).then_some(Mutual { friction, within }))
    }
}
