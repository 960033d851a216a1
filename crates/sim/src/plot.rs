//! Draws SVG plots of a run: sample bankrolls, the distribution of results, and the edge at each count.

use crate::chunk::{Job, ShoeResult};
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

/// A named picture.
pub struct Picture {
    /// The name of the picture's file.
    pub file: &'static str,
    /// The picture.
    pub svg: String,
}

/// Returns all pictures of a run.
pub fn pictures(job: &Job, tally: &Tally) -> Vec<Picture> {
    let mut all = vec![
        Picture { file: "bankroll.svg", svg: bankroll(job) },
        Picture { file: "distribution.svg", svg: distribution(tally) },
    ];
    if job.counting.is_some() {
        all.push(Picture { file: "edge-by-count.svg", svg: by_count(job, tally) });
    }
    all
}

/// A plot with axes; `x` and `y` hold the lowest and the highest value.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
    svg: String,
}

impl Frame {
    fn new(title: &str, x: (f64, f64), y: (f64, f64), names: (&str, &str)) -> Frame {
        let widen = |(low, high): (f64, f64)| {
            if high > low { (low, high) } else { (low - 1.0, high + 1.0) }
        };
        let mut frame = Frame { x: widen(x), y: widen(y), svg: String::new() };
        frame.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\" aria-label=\"{title}\">"
        ));
        frame.line(format_args!("<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>"));
        frame.text(WIDTH / 2.0, 22.0, "middle", title);
        frame.text(WIDTH / 2.0, HEIGHT - 8.0, "middle", names.0);
        frame.text(8.0, 22.0, "start", names.1);
        frame.axes();
        frame
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // writing to a string cannot fail
        let _ = writeln!(self.svg, "{text}");
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        self.line(format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"));
    }

    fn at_x(&self, x: f64) -> f64 {
        LEFT + (x - self.x.0) / (self.x.1 - self.x.0) * (WIDTH - LEFT - RIGHT)
    }

    fn at_y(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - (y - self.y.0) / (self.y.1 - self.y.0) * (HEIGHT - TOP - BOTTOM)
    }

    fn axes(&mut self) {
        for tick in ticks(self.y) {
            let y = self.at_y(tick);
            let right = WIDTH - RIGHT;
            self.line(format_args!("<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>"));
            self.text(LEFT - 6.0, y + 4.0, "end", &format!("{}", round(tick)));
        }
        for tick in ticks(self.x) {
            let x = self.at_x(tick);
            self.text(x, HEIGHT - BOTTOM + 18.0, "middle", &format!("{}", round(tick)));
        }
        let bottom = HEIGHT - BOTTOM;
        self.line(format_args!(
            "<path d=\"M{LEFT} {TOP}V{bottom}H{}\" fill=\"none\" stroke=\"#333\"/>",
            WIDTH - RIGHT
        ));
    }

    fn path(&mut self, points: &[(f64, f64)], colour: &str) {
        let mut d = String::new();
        for (nth, &(x, y)) in points.iter().enumerate() {
            let step = if nth == 0 { 'M' } else { 'L' };
            let _ = write!(d, "{step}{:.1} {:.1}", self.at_x(x), self.at_y(y));
        }
        self.line(format_args!("<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\"/>"));
    }

    fn bar(&mut self, x: f64, width: f64, y: f64, colour: &str) {
        let (left, right) = (self.at_x(x - width / 2.0), self.at_x(x + width / 2.0));
        let (zero, top) = (self.at_y(0.0f64.clamp(self.y.0, self.y.1)), self.at_y(y));
        let (low, high) = (zero.max(top), zero.min(top));
        self.line(format_args!(
            "<rect x=\"{left:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>",
            right - left,
            low - high
        ));
    }

    fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }
}

fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Returns about six round numbers in a range.
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
fn bankroll(job: &Job) -> String {
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
    let mut frame =
        Frame::new("Bankroll of 24 players", (0.0, most), (low, high), ("rounds", "initial wagers"));
    for (nth, path) in paths.iter().enumerate() {
        frame.path(path, COLOURS[nth % COLOURS.len()]);
    }
    frame.finish()
}

/// Results rarer than this, in percent, would not be visible.
const LEAST_SHARE: f64 = 0.01;

/// Plots the share of rounds by net result.
fn distribution(tally: &Tally) -> String {
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
    let names = ("net result of a round in initial wagers, rounded down to halves", "% of rounds");
    let mut frame = Frame::new("Results of a round", (low, high), (0.0, most), names);
    for (net, share) in shares {
        frame.bar(net, 0.4, share, if net < 0.0 { "#c1121f" } else { "#1b6ca8" });
    }
    frame.finish()
}

/// Plots the edge at each count that occurs in at least one round of a thousand, with its 95 % confidence interval.
fn by_count(job: &Job, tally: &Tally) -> String {
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
    let mut frame = Frame::new(
        "Edge by count, with 95 % confidence intervals",
        (first, last),
        (low, high),
        ("count", "player's edge, %"),
    );
    for (count, edge, error) in rows {
        frame.bar(count, 0.8, edge, if edge < 0.0 { "#c1121f" } else { "#2a9d8f" });
        frame.path(&[(count, edge - error), (count, edge + error)], "#333");
    }
    frame.finish()
}
