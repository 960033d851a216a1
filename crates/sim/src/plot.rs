//! Draws plots of a run: sample bankrolls, the distribution of results, the edge at each count, and the risk of ruin.

use crate::chunk::{Job, ShoeResult};
use crate::report::{Stakes, ruin, ruin_on_a_trip, spread};
use crate::rng::LANES;
use crate::tally::Tally;
use program::hand::LEAST_COUNT;
use std::fmt::Write;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 450.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

/// A plot: bars and lines over two axes.
pub struct Plot {
    /// The name of the plot's file, such as `risk.svg`.
    pub file: &'static str,
    /// The title of the plot.
    pub title: String,
    /// The labels of the horizontal and the vertical axis.
    pub names: [&'static str; 2],
    /// The bars, which are drawn behind the lines.
    pub bars: Vec<Bar>,
    /// The lines of the plot.
    pub lines: Vec<Line>,
    x: (f64, f64),
    y: (f64, f64),
}

/// A bar from zero to a value.
pub struct Bar {
    /// The middle of the bar on the horizontal axis.
    pub at: f64,
    /// The width of the bar, in units of the x-axis.
    pub width: f64,
    /// The value at which the bar ends.
    pub to: f64,
    /// The color of the bar, such as `#1b6ca8`.
    pub colour: &'static str,
}

/// A line through points of a plot.
pub struct Line {
    /// The points of the line, in units of the axes.
    pub points: Vec<(f64, f64)>,
    /// The color of the line, such as `#1b6ca8`.
    pub colour: &'static str,
    /// The name in the legend, or an empty string for none.
    pub label: String,
}

/// Returns the plots of a run: bankrolls, results and, if cards are counted, the edge by count.
pub fn plots(job: &Job, tally: &Tally) -> Vec<Plot> {
    let mut all = vec![bankroll(job), distribution(tally)];
    if job.counting.is_some() {
        all.push(by_count(job, tally));
    }
    all
}

impl Plot {
    fn new(file: &'static str, title: &str, x: (f64, f64), y: (f64, f64), names: [&'static str; 2]) -> Plot {
        let widen = |(low, high): (f64, f64)| {
            if high > low { (low, high) } else { (low - 1.0, high + 1.0) }
        };
        let (low, high) = widen(y);
        let room = 0.04 * (high - low);
        let y = (if low < 0.0 { low - room } else { low }, high + room);
        Plot { file, title: title.into(), names, bars: Vec::new(), lines: Vec::new(), x: widen(x), y }
    }

    fn bar(&mut self, at: f64, width: f64, to: f64, colour: &'static str) {
        self.bars.push(Bar { at, width, to, colour });
    }

    fn line(&mut self, points: Vec<(f64, f64)>, colour: &'static str, label: String) {
        self.lines.push(Line { points, colour, label });
    }

    fn at_x(&self, x: f64) -> f64 {
        LEFT + (x - self.x.0) / (self.x.1 - self.x.0) * (WIDTH - LEFT - RIGHT)
    }

    fn at_y(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - (y - self.y.0) / (self.y.1 - self.y.0) * (HEIGHT - TOP - BOTTOM)
    }

    /// Returns the plot as SVG.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        let title = &self.title;
        svg.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
                font-size=\"13\" role=\"img\" aria-label=\"{title}\">"
        ));
        svg.line(format_args!("<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>"));
        svg.text((WIDTH / 2.0, 22.0), "middle", title);
        svg.text((WIDTH / 2.0, HEIGHT - 8.0), "middle", self.names[0]);
        svg.text((8.0, 22.0), "start", self.names[1]);
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for tick in ticks(self.y) {
            let y = self.at_y(tick);
            svg.line(format_args!("<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>"));
            svg.text((LEFT - 6.0, y + 4.0), "end", &format!("{}", round(tick)));
        }
        for tick in ticks(self.x) {
            svg.text((self.at_x(tick), bottom + 18.0), "middle", &format!("{}", round(tick)));
        }
        svg.line(format_args!("<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#333\"/>"));
        for bar in &self.bars {
            let (left, right) = (self.at_x(bar.at - bar.width / 2.0), self.at_x(bar.at + bar.width / 2.0));
            let (zero, top) = (self.at_y(0.0f64.clamp(self.y.0, self.y.1)), self.at_y(bar.to));
            let (low, high) = (zero.max(top), zero.min(top));
            svg.line(format_args!(
                "<rect x=\"{left:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
                right - left,
                low - high,
                bar.colour
            ));
        }
        for Line { points, colour, .. } in &self.lines {
            let mut d = String::new();
            for (nth, &(x, y)) in points.iter().enumerate() {
                let step = if nth == 0 { 'M' } else { 'L' };
                let _ = write!(d, "{step}{:.1} {:.1}", self.at_x(x), self.at_y(y));
            }
            svg.line(format_args!(
                "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\"/>"
            ));
        }
        let named = self.lines.iter().filter(|line| !line.label.is_empty());
        for (nth, line) in named.enumerate() {
            let y = TOP + 20.0 * (nth as f64 + 1.0);
            svg.line(format_args!(
                "<path d=\"M{} {}h24\" stroke=\"{}\" stroke-width=\"3\"/>",
                right - 40.0,
                y - 4.0,
                line.colour
            ));
            svg.text((right - 48.0, y), "end", &line.label);
        }
        svg.0.push_str("</svg>\n");
        svg.0
    }
}

/// The source text of an SVG drawing.
#[derive(Default)]
struct Svg(String);

impl Svg {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // writing to a string cannot fail
        let _ = writeln!(self.0, "{text}");
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        self.line(format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"));
    }
}

fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Returns about six round numbers in a range, to mark an axis.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&s| s >= rough).unwrap_or(power);
    let first = (low / step).ceil() as i64;
    (first..).map(|n| n as f64 * step).take_while(|&t| t <= high + step * 1e-9).take(20).collect()
}

const COLOURS: [&str; 8] =
    ["#1b6ca8", "#c1121f", "#2a9d8f", "#e09f3e", "#6a4c93", "#386641", "#9d4edd", "#555555"];

/// Plots the bankrolls of the first chunk's lanes, shoe by shoe.
fn bankroll(job: &Job) -> Plot {
    const PATHS: usize = 24;
    const POINTS: u64 = 256;
    let unit = job.initial() as f64;
    let mut paths = vec![vec![(0.0, 0.0)]; PATHS.min(LANES)];
    let mut now = vec![(0.0, 0.0); paths.len()];
    // limit the number of points to what can be seen
    let every = job.shoes.div_ceil(POINTS);
    let mut extend = |shoe: ShoeResult| {
        let lane = usize::from(shoe.lane);
        if let (Some(path), Some((rounds, net))) = (paths.get_mut(lane), now.get_mut(lane)) {
            *rounds += f64::from(shoe.rounds);
            *net += shoe.net as f64 / unit;
            let shoes = u64::from(shoe.shoe + 1);
            if shoes.is_multiple_of(every) || shoes == job.shoes {
                path.push((*rounds, *net));
            }
        }
    };
    job.chunk_by_rounds(0, u64::MAX, &mut extend);
    let all = || paths.iter().flatten();
    let most = all().map(|p| p.0).fold(0.0, f64::max);
    let (low, high) = all().fold((0.0, 0.0), |(low, high): (f64, f64), p| (low.min(p.1), high.max(p.1)));
    let names = ["rounds", "initial bets"];
    let mut plot = Plot::new("bankroll.svg", "Bankroll of 24 players", (0.0, most), (low, high), names);
    for (nth, path) in paths.into_iter().enumerate() {
        plot.line(path, COLOURS[nth % COLOURS.len()], String::new());
    }
    plot
}

/// The percentage of rounds below which the plot of the distribution leaves out a result.
const LEAST_SHARE: f64 = 0.01;

/// Plots the share of rounds by net result.
fn distribution(tally: &Tally) -> Plot {
    let n = tally.rounds().max(1) as f64;
    let shares: Vec<(f64, f64)> = tally
        .distribution
        .iter()
        .enumerate()
        .map(|(place, &times)| (Tally::result_at(place), times as f64 / n * 100.0))
        .filter(|row| row.1 >= LEAST_SHARE)
        .collect();
    let low = shares.first().map_or(0.0, |s| s.0) - 0.5;
    let high = shares.last().map_or(0.0, |s| s.0) + 0.5;
    let most = shares.iter().map(|s| s.1).fold(0.0, f64::max);
    let names = ["net result of a round, in initial bets, rounded down to halves", "% of rounds"];
    let mut plot = Plot::new("distribution.svg", "Results of a round", (low, high), (0.0, most), names);
    for (net, share) in shares {
        plot.bar(net, 0.4, share, if net < 0.0 { "#c1121f" } else { "#1b6ca8" });
    }
    plot
}

/// Plots the edge at each frequent count, with its 95 % confidence interval.
///
/// A count is frequent if more than one in a thousand rounds begins at it.
fn by_count(job: &Job, tally: &Tally) -> Plot {
    let n = tally.rounds().max(1) as f64;
    let percent = 100.0 / (job.initial() as f64 * job.boxes as f64);
    let rows: Vec<(f64, f64, f64)> = tally
        .cells
        .iter()
        .enumerate()
        .filter(|row| row.1.net.count as f64 / n > 1e-3)
        .map(|(bucket, cell)| {
            let count = f64::from(bucket as i32 + LEAST_COUNT);
            (count, cell.net.mean() * percent, 1.96 * cell.net.error() * percent)
        })
        .collect();
    let (low, high) = rows.iter().fold((0.0, 0.0), |(low, high): (f64, f64), &(_, edge, error)| {
        (low.min(edge - error), high.max(edge + error))
    });
    let first = rows.first().map_or(0.0, |r| r.0) - 1.0;
    let last = rows.last().map_or(0.0, |r| r.0) + 1.0;
    let mut plot = Plot::new(
        "edge-by-count.svg",
        "Edge by count, with 95 % confidence intervals",
        (first, last),
        (low, high),
        ["count", "player's edge, %"],
    );
    for (count, edge, error) in rows {
        plot.bar(count, 0.8, edge, if edge < 0.0 { "#c1121f" } else { "#2a9d8f" });
        plot.line(vec![(count, edge - error), (count, edge + error)], "#333", String::new());
    }
    plot
}

/// Plots risk of ruin against bankroll, for one trip and for unlimited play.
///
/// The axis reaches up to twice the bankroll of the report.
pub fn risk(job: &Job, tally: &Tally, stakes: &Stakes) -> Plot {
    const POINTS: u32 = 200;
    let spread = spread(job, tally);
    let most = 2.0 * stakes.bankroll;
    let at = |n: u32| most * f64::from(n) / f64::from(POINTS);
    let curve = |of: &dyn Fn(&Stakes) -> f64| -> Vec<(f64, f64)> {
        let risk = |bankroll| 100.0 * of(&Stakes { bankroll, ..*stakes });
        (0..=POINTS).map(|n| (at(n), risk(at(n)))).collect()
    };
    let names = ["bankroll, in initial bets", "risk, %"];
    let mut plot = Plot::new("risk.svg", "Risk of ruin by bankroll", (0.0, most), (0.0, 100.0), names);
    let trip = curve(&|stakes| ruin_on_a_trip(&spread, stakes));
    plot.line(trip, COLOURS[0], format!("within {} rounds", stakes.trip));
    plot.line(curve(&|stakes| ruin(&spread, stakes)), COLOURS[1], "ever".into());
    plot
}
