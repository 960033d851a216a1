use exact::game::Strategy;
fn main() {
    for (name, _) in rules::preset::PRESETS {
        let rules = rules::Rules::new(rules::preset::preset(name).unwrap()).unwrap();
        let e = exact::edge::edge(&rules, &Strategy::CompositionDependent);
        println!("{name} {e:?}");
        if !name.contains("switch") {
            for f in exact::edge::effects(&rules, &Strategy::CompositionDependent) {
                println!("    {:40} {:16} {:.6} {:+.6}", f.key, f.value, f.house_edge, f.change);
            }
        }
        let c = exact::strategy::strategy(&rules, &Strategy::CompositionDependent);
        if !name.contains("face") { println!("{}", c.to_text()); }
        std::fs::write(format!("/tmp/chart-{name}.html"), c.to_html()).unwrap();
        std::fs::write(format!("/tmp/chart-{name}.svg"), c.to_svg()).unwrap();
        std::fs::write(format!("/tmp/chart-{name}.json"), c.to_json()).unwrap();
    }
}
