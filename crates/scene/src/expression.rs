//! Formulas in scene files: `"2*x - sin(t)"`.

use exmex::prelude::*;

/// A formula of place and time, in SI units.
#[derive(Clone, Debug)]
pub struct Expression {
    tree: exmex::FlatEx<f64>,
    /// Which of x, y, z, t each of its variables is.
    uses: Vec<usize>,
}

/// The names that may stand in a formula.
const NAMES: [&str; 4] = ["x", "y", "z", "t"];

impl Expression {
    /// Reads a formula in which the names in `allowed` (of x, y, z, t) may stand.
    pub fn parse(text: &str, allowed: &[&str]) -> Result<Self, String> {
        if text.len() > 10_000 || depth(text) > 100 {
            return Err("the formula is too long or too deep".into());
        }
        if let Some(what) = ambiguous(text) {
            return Err(format!(
                "`{what}` can be read in two ways: write -(a^b) or (-a)^b"
            ));
        }
        let tree = exmex::FlatEx::<f64>::parse(text).map_err(|e| e.to_string())?;
        let mut uses = Vec::new();
        for name in tree.var_names() {
            match NAMES
                .iter()
                .position(|n| n == name)
                .filter(|_| allowed.contains(&name.as_str()))
            {
                Some(i) => uses.push(i),
                None => {
                    return Err(format!(
                        "unknown name `{name}`; there are {}",
                        allowed.join(", ")
                    ));
                }
            }
        }
        Ok(Self { tree, uses })
    }
    /// The value at a place and time; NaN where it has none.
    pub fn at(&self, place: &[f64], t: f64) -> f64 {
        let all = [0, 1, 2].map(|a| place.get(a).copied().unwrap_or(0.0));
        let mut values = [0.0; 4];
        for (v, &i) in values.iter_mut().zip(&self.uses) {
            *v = if i == 3 { t } else { all[i] };
        }
        self.tree
            .eval(&values[..self.uses.len()])
            .unwrap_or(f64::NAN)
    }
}

/// How deep brackets are nested.
fn depth(text: &str) -> i64 {
    let mut now = 0;
    let steps = text.chars().map(|c| {
        now += i64::from(c == '(') - i64::from(c == ')');
        now
    });
    steps.max().unwrap_or(0)
}

/// A sign before a power, e.g. `-x^2`: mathematics reads −(x²), the formula reader (−x)².
fn ambiguous(text: &str) -> Option<String> {
    let c: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    (0..c.len()).find_map(|i| {
        let unary = matches!(c[i], '-') && (i == 0 || "(,+-*/^".contains(c[i - 1]));
        let end = operand(&c, i + 1);
        (unary && c.get(end) == Some(&'^')).then(|| c[i..=end].iter().collect())
    })
}

/// Where the number, name, call or bracket that starts at `i` ends.
fn operand(c: &[char], mut i: usize) -> usize {
    while c
        .get(i)
        .is_some_and(|c| c.is_alphanumeric() || *c == '.' || *c == '_')
    {
        i += 1;
    }
    if c.get(i) == Some(&'(') {
        let mut open = 0;
        while let Some(x) = c.get(i) {
            open += i32::from(*x == '(') - i32::from(*x == ')');
            i += 1;
            if open == 0 {
                break;
            }
        }
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_and_refusals() {
        let e = Expression::parse("2*x + sin(t)*y^2", &["x", "y", "t"]).unwrap();
        assert_eq!(e.at(&[3.0, 2.0], std::f64::consts::FRAC_PI_2), 10.0);
        assert!(
            Expression::parse("z", &["x", "y"])
                .unwrap_err()
                .contains("unknown name `z`")
        );
        assert!(
            Expression::parse("-x^2", &["x"])
                .unwrap_err()
                .contains("two ways")
        );
        assert!(Expression::parse("3*-(x+1)^2", &["x"]).is_err());
        assert_eq!(
            Expression::parse("1-x^2", &["x"]).unwrap().at(&[3.0], 0.0),
            -8.0
        );
        assert_eq!(
            Expression::parse("(-x)^2", &["x"]).unwrap().at(&[3.0], 0.0),
            9.0
        );
        for bad in ["", "1+", "((", "x y", "sin", "2**x", "a;b"] {
            assert!(Expression::parse(bad, &["x"]).is_err(), "{bad}");
        }
        assert!(Expression::parse(&"(".repeat(20_000), &["x"]).is_err());
    }
}
