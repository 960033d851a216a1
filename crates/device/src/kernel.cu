// The run of the processor, played by a graphics processor: shoes are drawn, cards step through a table, ends are counted.
//
// No rule is written here. The constants in capitals are put before this text by `layout.rs`, and the tables come from the
// same place; see there for what each holds. The same text compiled as plain C plays the same on a processor (`emulate`).
//
// A shoe of the run is drawn in sixty-four lanes from sixteen streams of random numbers, four lanes a stream. Here a thread
// has a stream and its four lanes, and sixteen threads, half a warp, play a shoe. If one lane of the sixty-four must draw
// again, all sixteen streams step on, as they do in `sim::shoe`; that is what the votes are for.

typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;

#if ENTRY_BYTES == 2
typedef u16 entry;
#else
typedef u32 entry;
#endif

#ifdef __CUDACC__
#define FN static __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
// threads that one call plays
#define WIDTH 1
#define COUNT32(place) atomicAdd(&(place), 1u)
#define COUNT64(place, n) atomicAdd(&(place), (u64)(n))
#define READ(place) __ldg(&(place))
#define FIRST(bits) (__ffs((int)(bits)) - 1)
#else
#define FN static inline
#define UNROLL
#define ROLLED
#define WIDTH 16
#define COUNT32(place) ((place) += 1)
#define COUNT64(place, n) ((place) += (n))
#define READ(place) (place)
#define FIRST(bits) __builtin_ctz(bits)
#endif

#define LANES 4
// three fields of ten bits a word
#define ONES 0x00100401u
#define GUARDS 0x20080200u

// What all threads read, and where they count.
typedef struct {
    const entry *table;
    const u32 *rest;
    const u8 *buckets;
    const u16 *lines;
    // for each number of cards left: that number, and below which product a number is drawn again
    const u32 *left;
    u64 *out;
    // the part of the table that lies in shared memory, and the counters there
    entry *near;
    u32 *ended;
    u32 *sided;
    u32 *parted;
    // control and sums of each lane, for rounds that have left the table
    u32 *aside;
    // how many cards were gone when the round of each lane began
    u32 *begun;
    u8 *lists;
} Ground;

// A stream and its four lanes.
typedef struct {
    u64 a, b, c, d;
#if LISTS
    u32 place[LANES];
#else
    u32 totals[LANES][WORDS];
#endif
    u32 state[LANES];
#if COUNTING
    int running[LANES];
    u32 label[LANES];
#endif
#if DEALT
    u32 dealt[LANES];
#endif
#if STREAK_KEYS
    // how far the wagers on rounds in a row have come, from one shoe of a chunk to the next
    u32 streak[LANES];
#endif
    // its number in the block
    u32 me;
    u64 cards;
    u64 voids;
} Thread;

FN u64 rotated(u64 x, int by) { return (x << by) | (x >> (64 - by)); }

FN u64 spread(u64 z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

#define GOLDEN 0x9e3779b97f4a7c15ull

// `sim::rng::shoe_seed`
FN u64 shoe_seed(u64 seed, u64 chunk, u64 shoe) {
    u64 state = spread(seed + GOLDEN) ^ (chunk * 0xd1b54a32d192ed03ull);
    state = spread(state + GOLDEN) ^ (shoe * 0xd1b54a32d192ed03ull);
    return spread(state + GOLDEN);
}

FN u64 next(Thread *t) {
    u64 number = rotated(t->a + t->d, 23) + t->a;
    u64 shifted = t->b << 17;
    t->c ^= t->a;
    t->d ^= t->b;
    t->b ^= t->c;
    t->a ^= t->d;
    t->c ^= shifted;
    t->d = rotated(t->d, 45);
    return number;
}

FN u32 number_of(u64 numbers, int lane) { return (u32)(numbers >> (16 * lane)) & 0xffff; }

FN u32 is_again(u32 number, u32 left, u32 reject) { return ((number * left) & 0xffff) < reject; }

FN u32 less(u32 a, u32 b) { return a < b ? a : b; }

// The same of all four lanes; the lower half of each product is multiplied into the upper half of a word.
FN u32 any_again(u64 numbers, u32 left, u32 reject) {
    u32 low = (u32)numbers, high = (u32)(numbers >> 32), by = left << 16;
    u32 first = less(low * by, (low >> 16) * by), second = less(high * by, (high >> 16) * by);
    return less(first, second) < reject << 16;
}

// The numbers with those drawn again that would favour a card.
FN u64 replaced(u64 numbers, u64 again, u32 left, u32 reject) {
    u64 result = 0;
    UNROLL for (int lane = 0; lane < LANES; lane++) {
        u32 number = number_of(numbers, lane);
        result |= (u64)(is_again(number, left, reject) ? number_of(again, lane) : number) << (16 * lane);
    }
    return result;
}

FN u32 bucket(const Ground *g, int running, u32 gone) {
#if COUNTING
#ifdef TAGS
    // tags are packed as more than they are
    running -= TAG_BIAS * (int)(gone - BURNED);
#endif
    running = running < -REACH ? -REACH : running > REACH ? REACH : running;
    return READ(g->buckets[gone * (2 * REACH + 1) + (u32)(running + REACH)]);
#else
    return 0;
#endif
}

#define BEGUN(g, t, lane) (g)->begun[(lane) * THREADS + (t)->me]

// What a new round knows of its lane.
FN void renew(const Ground *g, Thread *t, int lane, u32 gone) {
#if COUNTING
    t->label[lane] = bucket(g, t->running[lane], gone);
#endif
#if DEALT
    t->dealt[lane] = 1;
#endif
    (void)g, (void)t, (void)lane, (void)gone;
}

FN void begin(const Ground *g, Thread *t, int lane, u32 gone) {
    BEGUN(g, t, lane) = gone;
    renew(g, t, lane, gone);
}

// A round has ended with the card before this number.
FN void over(const Ground *g, Thread *t, int lane, u32 gone) {
    t->state[lane] = gone < LAST_START ? START : IDLE;
    begin(g, t, lane, gone);
}

FN void count_round(const Ground *g, u32 label, u32 outcome) {
    u32 key = label * OUTCOMES + outcome;
    if (key < ENDED_NEAR) COUNT32(g->ended[key]);
    else COUNT64(g->out[key], 1);
}

FN void count_side(const Ground *g, u32 key) {
    if (key < SIDED_NEAR) COUNT32(g->sided[key]);
    else COUNT64(g->out[SIDE_AT + key], 1);
}

// Parts, nets and insurance of a round that has left the table.
FN void count_part(const Ground *g, u32 key) {
    u32 place = key - PARTS_AT;
#if PARTED_NEAR >= CARDS_AT - PARTS_AT
    COUNT32(g->parted[place]);
#else
    if (place < PARTED_NEAR) COUNT32(g->parted[place]);
    else COUNT64(g->out[key], 1);
#endif
}

// Side wagers: the line of each by the first cards, and what the end of the round says besides.
FN void count_sides(const Ground *g, u32 dealt, u32 aspect) {
#if LINE_KEYS
    count_side(g, STREAK_KEYS + (DEALT ? READ(g->lines[dealt - DEALT_LIMIT]) : 0) * ASPECTS + aspect);
#endif
}

#if STREAK_KEYS
// Wagers on rounds in a row: how far they have come behind this round, which loses them (0), takes them on (1) or neither.
FN u32 streak_behind(const Ground *g, u32 streak, u32 effect) {
    u32 key = 2 * streak + effect;
    if (effect > 1) return streak;
    count_side(g, key);
    return READ(g->rest[STREAK_AT + key]);
}
#endif

// What a lane keeps only where it is needed.
#if COUNTING
#define RUNNING(t, lane) (t)->running[lane]
#define LABEL(t, lane) (t)->label[lane]
#else
#define RUNNING(t, lane) 0
#define LABEL(t, lane) 0
#endif
#if DEALT
#define DEALT_OF(t, lane) (t)->dealt[lane]
#else
#define DEALT_OF(t, lane) 0
#endif

// A round that has left the table of whole rounds: `program::beyond`. Its next state, or OVER; then what the round does to
// streaks is aside.
#define OVER STATES
FN u32 beyond(const Ground *g, u32 *aside, u32 gone, u32 e, int running, u32 label, u32 dealt) {
    const u32 *rest = g->rest;
    u32 x = aside[0], y = aside[THREADS];
    while (e >= STATES) {
        u32 code = e - STATES - OUTCOMES;
#if CONSULTS
        if (e - STATES < OUTCOMES) {
            count_round(g, label, e - STATES);
            count_sides(g, dealt, LINE_KEYS ? READ((rest + ASPECT_AT)[e - STATES]) : 0);
#if STREAK_KEYS
            aside[0] = READ((rest + EFFECT_AT)[e - STATES]);
#endif
            return OVER;
        }
#endif
        if (code < EXITS) {
            const u32 *exit = rest + EXIT_AT + 3 * code;
            e = READ(exit[0]);
            x = READ(exit[1]);
            y = READ(exit[2]);
            continue;
        }
        code -= EXITS;
#if CONSULTS
        if (code < CONSULTS) {
            // the count decides
            const u32 *consult = rest + CONSULT_AT + code * (BUCKETS + 1);
            e = READ(consult[1 + bucket(g, running - (int)READ(consult[0]), gone)]);
            continue;
        }
        code -= CONSULTS;
#endif
        const u32 *control = rest + CONTROL_AT + (x & 0xffff) * CONTROL_WORDS;
        if (code < CLASSES) {
            // a hand is finished
            u32 sum = READ((rest + ADD_AT)[(y & 0xffff) * CLASSES + code]);
            y = (y & 0xffff0000u) | sum;
            e = READ(control[0]);
            if (e == DEALER) {
                u32 flags = READ((rest + FLAG_AT)[sum]);
                if (TWO_HANDS) flags |= READ((rest + FLAG_AT)[y >> 16]);
                e = READ((control + CONTROL_DEALER)[flags]);
            } else if (TWO_HANDS && e == SECOND) {
                e = READ((rest + SECOND_AT)[READ(control[2]) + (x >> 16)]);
                y = (sum << 16) | READ(control[3]);
                x = READ(control[1]);
            } else {
                x = (x & 0xffff0000u) | READ(control[1]);
            }
            continue;
        }
        code -= CLASSES;
        if (code < 10) {
            // it is split
            const u32 *split = control + CONTROL_SPLIT + 2 * code;
            e = READ(split[0]);
            x = (x & 0xffff0000u) | READ(split[1]);
            continue;
        }
        code -= 10;
#if ASKS
        if (code < ASKS) {
            int seen = running - (int)READ(control[4]);
            e = READ(rest[ASK_AT + code * BUCKETS + bucket(g, seen, gone)]);
            continue;
        }
#endif
        code -= ASKS;
        // the dealer's hand has ended: its number, line of a wager on its third card, insurance, end
        u32 last = code & 7, insurance = (code >> 3) % INSURANCES, place = (code >> 3) / INSURANCES;
        u32 line = place % LINES, dealer_hand = place / LINES;
        const u32 *part = rest + PART_AT + 3 * ((y & 0xffff) * 8 + last);
        u32 record = READ(part[2]);
        int net = (int)READ(part[1]);
        count_part(g, PARTS_AT + READ(part[0]) * BUCKETS_USED + label);
        if (TWO_HANDS) {
            part = rest + PART_AT + 3 * ((y >> 16) * 8 + last);
            net += (int)READ(part[1]);
            record += READ(part[2]);
            count_part(g, PARTS_AT + READ(part[0]) * BUCKETS_USED + label);
        }
        if (DEALER_HANDS > 1) {
            if (dealer_hand > 0) net += (int)(y >> 16) - 0x8000;
            if (dealer_hand + 1 < DEALER_HANDS) {
                // a wager on the third card belongs to the first of the dealer's hands
                y = (y & 0xffff) | (u32)(net + 0x8000) << 16;
                e = READ((control + CONTROL_DEALER + 4)[4 * dealer_hand + READ((rest + FLAG_AT)[y & 0xffff])]);
                continue;
            }
        }
        if (INSURANCES > 1 && insurance) {
            net += (int)READ(rest[INSURANCE_AT + insurance]);
            count_part(g, INSURED_AT + insurance * BUCKETS_USED + label);
        }
        count_part(g, NETS_AT + (u32)(net - NET_LEAST) * BUCKETS_USED + label);
        count_sides(g, dealt, line * 2 + (u32)(last == 7 && BLACKJACK_ASKED));
#if STREAK_KEYS
        aside[0] = READ(rest[RECORD_AT + record]);
#else
        (void)record;
#endif
        return OVER;
    }
    aside[0] = x;
    aside[THREADS] = y;
    return e;
}

// The lane's card at this position among those that are left: its face, or the column of its face in the table.
FN u32 drawn(const Ground *g, Thread *t, int lane, u32 at, u32 position) {
#if LISTS
    // four cards a word, the words of neighbouring lanes beside each other
    u8 *list = g->lists + t->place[lane];
    u32 here = (at >> 2) * LIST_STRIDE + (at & 3);
    u32 there = at + position;
    there = (there >> 2) * LIST_STRIDE + (there & 3);
    u32 face = list[there];
    list[there] = list[here];
    return face;
#else
    // A field is 512 less the running total of a face, so with the position it passes 511 where the card lies behind the
    // face. Where it lies before, the total is one less from now on. Their number says which face it is.
    u32 sum = 0;
    UNROLL for (u32 word = 0; word < WORDS; word++) {
        u32 before = ~(position * ONES + t->totals[lane][word]) & GUARDS;
        t->totals[lane][word] += before >> 9;
        sum += before;
    }
    (void)g, (void)at;
    return ((sum >> 9) * (ONES << 8)) >> 28;
#endif
}

FN void take(const Ground *g, Thread *t, u32 at, u32 left, u64 numbers) {
    // first the steps of all lanes, which do not wait for each other, then what has come of them
    UNROLL for (int lane = 0; lane < LANES; lane++) {
        u32 card = drawn(g, t, lane, at, (number_of(numbers, lane) * left) >> 16);
#if COUNTING
#ifdef TAGS
        t->running[lane] += (int)((TAGS >> (3 * card)) & 7);
#else
        t->running[lane] += (int)READ(g->rest[TAG_AT + card]);
#endif
#endif
#if DEALT
        if (t->dealt[lane] < DEALT_LIMIT) t->dealt[lane] = t->dealt[lane] * CARDS_APART + card;
#endif
#if LISTS
        card = READ(g->rest[SYMBOL_AT + card]);
#endif
        u32 place = t->state[lane] * COLUMNS + card;
#if NEAR_STATES >= STATES
        t->state[lane] = g->near[place];
#elif NEAR_STATES > 0
        t->state[lane] = t->state[lane] < NEAR_STATES ? g->near[place] : READ(g->table[place]);
#else
        t->state[lane] = READ(g->table[place]);
#endif
    }
    UNROLL for (int lane = 0; lane < LANES; lane++) {
        u32 outcome = t->state[lane] - STATES;
        if (outcome < OUTCOMES) {
            count_round(g, LABEL(t, lane), outcome);
#if LINE_KEYS
            count_sides(g, DEALT_OF(t, lane), READ(g->rest[ASPECT_AT + outcome]));
#endif
#if STREAK_KEYS
            t->streak[lane] = streak_behind(g, t->streak[lane], READ(g->rest[EFFECT_AT + outcome]));
#endif
            over(g, t, lane, at + 1);
        }
    }
    u32 away = 0;
    UNROLL for (int lane = 0; lane < LANES; lane++) away |= (u32)(t->state[lane] >= STATES) << lane;
    // Few rounds leave the table, so one text for all lanes will do. Each thread goes on with its own next lane: so threads
    // whose rounds left in different lanes go through it together.
    ROLLED for (; away; away &= away - 1) {
        int which = FIRST(away), running = RUNNING(t, 0);
        u32 state = t->state[0], label = LABEL(t, 0), dealt = DEALT_OF(t, 0);
        UNROLL for (int lane = 1; lane < LANES; lane++) {
            state = which == lane ? t->state[lane] : state;
            running = which == lane ? RUNNING(t, lane) : running;
            label = which == lane ? LABEL(t, lane) : label;
            dealt = which == lane ? DEALT_OF(t, lane) : dealt;
        }
        u32 *aside = g->aside + 2 * which * THREADS + t->me;
        state = beyond(g, aside, at + 1, state, running, label, dealt);
        int ended = state == OVER;
        if (ended) {
            state = at + 1 < LAST_START ? START : IDLE;
            BEGUN(g, t, which) = at + 1;
        }
        UNROLL for (int lane = 0; lane < LANES; lane++) {
            t->state[lane] = which == lane ? state : t->state[lane];
#if STREAK_KEYS || COUNTING || DEALT
            if (!ended || which != lane) continue;
#if STREAK_KEYS
            t->streak[lane] = streak_behind(g, t->streak[lane], aside[0]);
#endif
            renew(g, t, lane, at + 1);
#endif
        }
    }
}

FN void shuffle(const Ground *g, Thread *t, u64 seed, u32 stream) {
    t->a = spread(seed + GOLDEN * (stream + 1));
    t->b = spread(seed + GOLDEN * (stream + 17));
    t->c = spread(seed + GOLDEN * (stream + 33));
    t->d = spread(seed + GOLDEN * (stream + 49));
    UNROLL for (int lane = 0; lane < LANES; lane++) {
#if LISTS
        for (u32 four = 0; four < LIST_WORDS; four++) {
            *(u32 *)(g->lists + t->place[lane] + four * LIST_STRIDE) = READ(g->rest[LIST_AT + four]);
        }
#else
        UNROLL for (u32 word = 0; word < WORDS; word++) t->totals[lane][word] = READ(g->rest[TOTAL_AT + word]);
#endif
        // nothing happens with the cards that are burned
        t->state[lane] = IDLE;
        BEGUN(g, t, lane) = BURNED;
    }
}

FN void start(const Ground *g, Thread *t) {
    UNROLL for (int lane = 0; lane < LANES; lane++) {
        t->state[lane] = START;
#if COUNTING
        t->running[lane] = COUNT_START;
#endif
        begin(g, t, lane, BURNED);
    }
}

FN int is_idle(const Thread *t) {
    int idle = 1;
    UNROLL for (int lane = 0; lane < LANES; lane++) idle &= t->state[lane] == IDLE;
    return idle;
}

#ifdef __CUDACC__
#define HALF (0xffffu << (threadIdx.x & 16))
#define VOTE(yes) __ballot_sync(0xffffffffu, yes)
#else
#define HALF 1u
#define VOTE(yes) (u32)((yes) != 0)
#endif

// One shoe in every lane. Both halves of a warp are at the same card of their shoes.
FN void play_shoe(const Ground *g, Thread *t, u64 seed, u32 first_stream, u32 plays) {
    for (u32 k = 0; k < WIDTH; k++) shuffle(g, &t[k], seed, first_stream + k);
    u32 coming = READ(g->left[0]);
    for (u32 at = 0; at < CARDS; at++) {
        if (at == BURNED && plays) {
            for (u32 k = 0; k < WIDTH; k++) start(g, &t[k]);
        }
        if (at >= LAST_START) {
            int idle = 1;
            for (u32 k = 0; k < WIDTH; k++) idle &= is_idle(&t[k]);
            if (!VOTE(!idle)) break;
        }
        // the bounds of the next card are on their way while this one is played
        u32 bounds = coming;
        coming = READ(g->left[at + 1]);
        u32 left = bounds & 0xffff, reject = bounds >> 16, again = 0;
        u64 numbers[WIDTH];
        for (u32 k = 0; k < WIDTH; k++) {
            numbers[k] = next(&t[k]);
            again |= any_again(numbers[k], left, reject);
        }
        for (u32 votes = VOTE(again); votes; votes = VOTE(again)) {
            again = 0;
            if (votes & HALF) {
                for (u32 k = 0; k < WIDTH; k++) {
                    numbers[k] = replaced(numbers[k], next(&t[k]), left, reject);
                    again |= any_again(numbers[k], left, reject);
                }
            }
        }
        for (u32 k = 0; k < WIDTH; k++) take(g, &t[k], at, left, numbers[k]);
    }
    // the cards of finished rounds; whoever still plays has no cards left
    for (u32 k = 0; k < WIDTH; k++) {
        UNROLL for (int lane = 0; lane < LANES; lane++) {
            t[k].voids += t[k].state[lane] != IDLE;
            t[k].cards += BEGUN(g, &t[k], lane) - BURNED;
        }
    }
}

// A chunk begins.
FN void forget(Thread *t) {
#if STREAK_KEYS
    UNROLL for (int lane = 0; lane < LANES; lane++) t->streak[lane] = 0;
#else
    (void)t;
#endif
}

#ifdef __CUDACC__

// Chunks from `first` on, in as many groups as are counted apart, each played by as many blocks.
extern "C" __global__ void __launch_bounds__(THREADS)
play(const entry *table, const u32 *rest, const u8 *buckets, const u16 *lines, const u32 *left, u64 *out, u64 seed, u64 first,
     u32 chunks_a_group, u32 blocks_a_group) {
    extern __shared__ u32 shared[];
    u32 group = blockIdx.x / blocks_a_group, block = blockIdx.x % blocks_a_group;
    Ground ground = {table, rest, buckets, lines, left, out + (u64)group * OUT_WORDS, 0, 0, 0, 0, 0, 0, 0};
    const Ground *g = &ground;
    ground.ended = shared;
    ground.sided = shared + ENDED_NEAR;
    ground.parted = shared + ENDED_NEAR + SIDED_NEAR;
    ground.aside = ground.parted + PARTED_NEAR;
    ground.begun = ground.aside + 2 * LANES * THREADS;
    ground.lists = (u8 *)(ground.begun + LANES * THREADS);
    ground.near = (entry *)(ground.lists + LISTS * LIST_BYTES);
    for (u32 at = threadIdx.x; at < ENDED_NEAR + SIDED_NEAR + PARTED_NEAR; at += THREADS) shared[at] = 0;
    for (u32 at = threadIdx.x; at < NEAR_STATES * COLUMNS; at += THREADS) ground.near[at] = table[at];
    __syncthreads();
    Thread t;
    t.cards = t.voids = 0;
    t.me = threadIdx.x;
#if LISTS
    for (int lane = 0; lane < LANES; lane++) t.place[lane] = (lane * THREADS + threadIdx.x) * 4;
#endif
    // shoes that are played one behind the other count as one
    u64 shoes = (u64)chunks_a_group * (SHOES / IN_ORDER);
    u64 stride = (u64)blocks_a_group * (THREADS / 16);
    u64 mine = (u64)block * (THREADS / 16) + threadIdx.x / 16;
    u64 chunk = first + (u64)group * chunks_a_group;
    // both halves of a warp go round together
    for (u64 at = mine; at - (mine & 1) < shoes; at += stride) {
        forget(&t);
        for (u64 shoe = at * IN_ORDER; shoe < (at + 1) * IN_ORDER; shoe++) {
            play_shoe(g, &t, shoe_seed(seed, chunk + shoe / SHOES, shoe % SHOES), threadIdx.x & 15, at < shoes);
        }
    }
    atomicAdd(&ground.out[CARDS_AT], t.cards);
    if (t.voids) atomicAdd(&ground.out[VOID_AT], t.voids);
    __syncthreads();
    for (u32 at = threadIdx.x; at < ENDED_NEAR; at += THREADS) {
        if (ground.ended[at]) atomicAdd(&ground.out[at], (u64)ground.ended[at]);
    }
    for (u32 at = threadIdx.x; at < SIDED_NEAR; at += THREADS) {
        if (ground.sided[at]) atomicAdd(&ground.out[SIDE_AT + at], (u64)ground.sided[at]);
    }
    for (u32 at = threadIdx.x; at < PARTED_NEAR; at += THREADS) {
        if (ground.parted[at]) atomicAdd(&ground.out[PARTS_AT + at], (u64)ground.parted[at]);
    }
}

#else

void emulate(const entry *table, const u32 *rest, const u8 *buckets, const u16 *lines, const u32 *left, u64 *out, u64 seed,
             u64 chunk, u8 *lists) {
    u32 ended[ENDED_NEAR + 1] = {0}, sided[SIDED_NEAR + 1] = {0}, parted[PARTED_NEAR + 1] = {0}, aside[2 * LANES * THREADS], begun[LANES * THREADS];
    Ground ground = {table, rest, buckets, lines, left, out, (entry *)table, ended, sided, parted, aside, begun, lists};
    Thread t[WIDTH];
    for (u32 k = 0; k < WIDTH; k++) {
        t[k].cards = t[k].voids = 0;
        t[k].me = k;
        forget(&t[k]);
#if LISTS
        for (u32 lane = 0; lane < LANES; lane++) t[k].place[lane] = (lane * THREADS + k) * 4;
#endif
    }
    for (u64 shoe = 0; shoe < SHOES; shoe++) play_shoe(&ground, t, shoe_seed(seed, chunk, shoe), 0, 1);
    for (u32 k = 0; k < WIDTH; k++) {
        out[CARDS_AT] += t[k].cards;
        out[VOID_AT] += t[k].voids;
    }
    for (u32 at = 0; at < ENDED_NEAR; at++) out[at] += ended[at];
    for (u32 at = 0; at < SIDED_NEAR; at++) out[SIDE_AT + at] += sided[at];
    for (u32 at = 0; at < PARTED_NEAR; at++) out[PARTS_AT + at] += parted[at];
}

#endif
