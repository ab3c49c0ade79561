import { parseOptions, refuse } from '../lib/commandLine.mjs'
import { nullDesigns } from './designs.mjs'
import { generator, LOOKS } from './simulate.mjs'

const HELP = `Compares the rules that could decide when a difference of means may be tested (ADR 68): their rates of false
alarms, and how often they give no p-value at the end.

  npm run statistics:candidates                       200 runs of each design
  npm run statistics:candidates -- --runs 1000        more runs
  npm run statistics:candidates -- --seed 7           other random numbers
  npm run statistics:candidates -- --only "5% buy"    designs whose name contains a text`

const { values } = parseOptions({
  options: {
    runs: { type: 'number', default: 200 },
    seed: { type: 'number', default: 20261123, least: 0 },
    only: { type: 'string', default: '' },
    help: { type: 'boolean' }
  }
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const { runs, seed } = values

const enough = (rule) => (look) => (look.withValue >= 30 ? rule(look) : Number.NaN)
const expected = (rule) => (look) => (look.expectedWithValue >= 30 ? rule(look) : Number.NaN)
const careful = ({ own, pooled }) => smaller(own, pooled)
const smaller = (one, other) => (Math.abs(one) < Math.abs(other) ? one : other)
/** Every arm has k times as many users as its squared skewness. */
const gate = (k) => expected((look) => (look.skewness * k <= 1 ? look.own : Number.NaN))
const corrected = (caution) =>
  expected(({ own, pooled, differenceSkewness: skewness }) => {
    const rate = own * skewness < 0 ? (caution * Math.abs(skewness)) / 3 : 0
    return smaller(own / (1 + rate * Math.min(6, Math.abs(own))), pooled)
  })

/** Each returns the difference in standard errors, or NaN where it gives no result. */
const rules = {
  'Welch, 30 users': ({ own }) => own,
  '30 with value': enough(({ own }) => own),
  pooled: ({ pooled }) => pooled,
  both: enough(({ pooled }) => pooled),
  'n ≥ 25·skewness²': gate(25),
  'n ≥ 100·skewness²': gate(100),
  'n ≥ 355·skewness²': gate(355),
  'capped at 99.9%': enough(({ capped }) => capped),
  'larger error': expected(careful),
  'and skewness × 1': corrected(1),
  'and skewness × 2': corrected(2),
  'and skewness × 4': corrected(4),
  'and skewness × 8': corrected(8)
}
const names = Object.keys(rules)
const designs = nullDesigns.filter(({ type, stay, name }) => type === 'users' && !stay && name.includes(values.only))
if (designs.length === 0) refuse(`no design has a name that contains "${values.only}"`)

console.log(`${runs} runs, seed ${seed}: fixed / 20 analyses / all analyses / silent at the end, in %`)
console.log(`| design | split | ${names.join(' | ')} |`)
console.log(`| --- | --- | ${names.map(() => '---').join(' | ')} |`)
const worst = names.map(() => [0, 0, 0, 0])
for (const design of designs) {
  const counts = names.map(() => [0, 0, 0, 0])
  const random = generator(seed)
  const cap = quantile(design.control, random, 0.999)
  for (let run = 0; run < runs; run++) addRun(design, cap, random, counts)
  const cells = counts.map((cell) => cell.map((count) => ((100 * count) / runs).toFixed(0)).join(' / '))
  for (const [index, cell] of counts.entries()) {
    worst[index] = cell.map((count, kind) => Math.max(worst[index][kind], (100 * count) / runs))
  }
  const { name, treatmentShare } = design
  console.log(`| ${name} | ${100 - 100 * treatmentShare}/${100 * treatmentShare} | ${cells.join(' | ')} |`)
}
console.log(`| worst | | ${worst.map((cell) => cell.map((rate) => rate.toFixed(0)).join(' / ')).join(' | ')} |`)

function addRun({ treatmentShare, users, control, treatment }, cap, random, counts) {
  const [c, t, cappedC, cappedT] = Array.from({ length: 4 }, () => [0, 0, 0, 0, 0])
  const hits = names.map(() => [false, false])
  for (let look = 1; look <= LOOKS; look++) {
    while (c[0] + t[0] < (users * look) / LOOKS) {
      const isTreatment = random() < treatmentShare
      const value = isTreatment ? treatment(random) : control(random)
      add(isTreatment ? t : c, value)
      add(isTreatment ? cappedT : cappedC, Math.min(cap, value))
    }
    if (Math.min(c[0], t[0]) < 30) continue
    const seen = toLook(c, t)
    seen.capped = toLook(cappedC, cappedT).own
    const critical = criticalValue(c[0] + t[0])
    for (const [index, name] of names.entries()) {
      const z = rules[name](seen)
      if (Math.abs(z) > critical) {
        hits[index][1] = true
        if (look % (LOOKS / 20) === 0) hits[index][0] = true
      }
      if (look < LOOKS) continue
      if (Number.isNaN(z)) counts[index][3]++
      else if (Math.abs(z) > 1.96) counts[index][0]++
    }
  }
  for (const [index, [any20, anyAll]] of hits.entries()) {
    if (any20) counts[index][1]++
    if (anyAll) counts[index][2]++
  }
}

function add(arm, value) {
  arm[0]++
  if (value === 0) return
  arm[1]++
  arm[2] += value
  arm[3] += value * value
  arm[4] += value * value * value
}

function toLook(c, t) {
  const [n, m] = [c[0], t[0]]
  const [a, b] = [centred(c), centred(t)]
  const difference = b.mean - a.mean
  const own = a.squares / (n - 1) / n + b.squares / (m - 1) / m
  const common = (a.squares + b.squares) / (n + m - 2)
  const pooledCubes = (a.cubes + b.cubes) / (n + m)
  const of = (cube, variance) => (variance > 0 ? cube ** 2 / variance ** 3 : 0)
  return {
    own: own > 0 ? difference / Math.sqrt(own) : 0,
    pooled: common > 0 ? difference / Math.sqrt(common * (1 / n + 1 / m)) : 0,
    withValue: Math.min(c[1], t[1]),
    expectedWithValue: (Math.min(n, m) * (c[1] + t[1])) / (n + m),
    skewness: Math.max(
      of(a.cubes / n, a.squares / n) / n,
      of(b.cubes / m, b.squares / m) / m,
      of(pooledCubes, common) / Math.min(n, m)
    ),
    differenceSkewness: own > 0 ? (b.cubes / m ** 3 - a.cubes / n ** 3) / own ** 1.5 : 0
  }
}

function centred([n, , sum, squares, cubes]) {
  const mean = sum / n
  return { mean, squares: Math.max(0, squares - n * mean ** 2), cubes: cubes - 3 * mean * squares + 2 * n * mean ** 3 }
}

function quantile(sampler, random, share) {
  const values = Array.from({ length: 100_000 }, () => sampler(random)).sort((a, b) => a - b)
  return values[Math.floor(share * values.length)]
}

function criticalValue(size) {
  const level = -2 * Math.log(0.05)
  const scale = (size * (level + Math.log(level) + 1)) / 5000
  return Math.sqrt(((2 * (scale + 1)) / scale) * Math.log(Math.sqrt(scale + 1) / 0.05))
}
