//! Edits a topology by paths, for factors of a lab: `hosts.server.cpu_share` (`[[host]]` by name),
//! `links.1.rate` (first `[[link]]`), `links.1.rates.server` (a key of a table), `pin` (of the topology).

use goodput_model::Message;
use goodput_words::message;
use toml::{Table, Value};

/// Sets a value at a path: an integer or boolean if it reads as one, else text; an empty value removes the
/// property. The error says that the path does not exist.
pub fn set_value_at_path(topology: &mut Table, path: &str, value: &str) -> Result<(), Message> {
    let steps: Vec<&str> = path.split('.').collect();
    let Some((property, way)) = steps.split_last().filter(|(last, _)| !last.is_empty()) else {
        return Err(message!(error_lab_path_without_property { path: format!("{path:?}") }));
    };
    let table = match way {
        [] => topology,
        [list, entry, inner @ ..] => below(entry_of(topology, list, entry, path)?, inner, path)?,
        [_] => return Err(message!(error_lab_path_without_middle { path, property: *property })),
    };
    if value.is_empty() {
        table.remove(*property);
    } else {
        table.insert((*property).to_string(), typed(value));
    }
    Ok(())
}

/// A host by name, or a link by number, counted from 1.
fn entry_of<'t>(
    topology: &'t mut Table,
    list: &str,
    entry: &str,
    path: &str,
) -> Result<&'t mut Table, Message> {
    let key = match list {
        "hosts" | "host" => "host",
        "links" | "link" => "link",
        _ => return Err(message!(error_lab_path_beginning { path })),
    };
    let Some(entries) = topology.get_mut(key).and_then(Value::as_array_mut) else {
        return Err(message!(error_lab_path_no_list { path, list: format!("[[{key}]]") }));
    };
    let count = entries.len();
    let at = match (key, entry.parse::<usize>()) {
        ("link", Ok(number)) => number.checked_sub(1).filter(|at| *at < count),
        ("link", Err(_)) => None,
        _ => entries.iter().position(|e| e.get("name").and_then(Value::as_str) == Some(entry)),
    };
    let found = at.and_then(|at| entries.get_mut(at)).and_then(Value::as_table_mut);
    found.ok_or_else(|| match key {
        "link" => message!(error_lab_path_no_link { path, count: count.to_string() }),
        _ => message!(error_lab_path_no_host { path, host: entry }),
    })
}

fn below<'t>(table: &'t mut Table, way: &[&str], path: &str) -> Result<&'t mut Table, Message> {
    way.iter().try_fold(table, |table, key| {
        let entry = table.entry((*key).to_string()).or_insert_with(|| Value::Table(Table::new()));
        entry.as_table_mut().ok_or_else(|| message!(error_lab_path_no_table { path, key: *key }))
    })
}

fn typed(value: &str) -> Value {
    match (value.parse::<i64>(), value.parse::<bool>()) {
        (Ok(whole), _) => Value::Integer(whole),
        (_, Ok(word)) => Value::Boolean(word),
        _ => Value::String(value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_lab::Topology;
    use goodput_model::BitRate;

    const TEXT: &str = "[[host]]\nname = \"a\"\n[[host]]\nname = \"b\"\n[[link]]\nhosts = [\"a\", \"b\"]\nrate = \"100Mbit\"\n";

    fn changed(changes: &[(&str, &str)]) -> Topology {
        let mut table: Table = TEXT.parse().unwrap();
        changes.iter().for_each(|(path, value)| set_value_at_path(&mut table, path, value).unwrap());
        Topology::from_toml(&toml::to_string(&table).unwrap()).unwrap()
    }

    #[test]
    fn properties_are_put_where_their_paths_lead() {
        let topology = changed(&[
            ("links.1.mtu", "9000"),
            ("hosts.b.cpu_share", "30%"),
            ("link.1.rates.a", "1Gbit"),
            ("host.a.forward", "true"),
        ]);
        assert_eq!((topology.links[0].mtu, topology.hosts[0].forward), (9000, true));
        assert!(topology.hosts[1].cpu_share.is_some());
        assert_eq!(topology.links[0].rates.values().next(), Some(&BitRate(1_000_000_000)));
        assert_eq!(topology.links[0].rate, Some(BitRate(100_000_000)));
        assert_eq!(changed(&[("links.1.rate", "")]).links[0].rate, None);
        assert_eq!(changed(&[("pin", "a")]).pin.unwrap().as_str(), "a");
    }

    #[test]
    fn a_path_that_leads_nowhere_is_said() {
        let mut table: Table = TEXT.parse().unwrap();
        let mut refused = |path: &str| set_value_at_path(&mut table, path, "1").expect_err(path);
        for path in " links.rate links.0.rate links.x.rate switch.1.mtu hosts.a.name.x links.1.".split(' ') {
            refused(path);
        }
        assert_eq!(refused("hosts.c.mtu"), "hosts.c.mtu: the topology has no host c");
        assert_eq!(refused("links.2.rate"), "links.2.rate: the topology has links 1 to 1");
    }
}
