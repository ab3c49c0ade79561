// Checks the architecture decision records: each has a date, a status and the three headings, and a row of the index
// with the same date. A status that names another record is in both.
// Usage: node scripts/adr.mjs
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../docs/adr/', import.meta.url))
const index = readFileSync(`${folder}README.md`, 'utf8')
const records = readdirSync(folder).filter((file) => /^\d{4}-/.test(file))

const problems = records.flatMap((file) => check(file).map((problem) => `docs/adr/${file}: ${problem}`))
for (const problem of problems) console.error(problem)
console.log(`${records.length} decision records, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0

function check(file) {
  const text = readFileSync(`${folder}${file}`, 'utf8')
  const [, number] = /^# (\d+)\. .+$/m.exec(text) ?? []
  if (Number(number) !== Number.parseInt(file, 10)) return ['the heading lacks the number of the file']
  const [, date, status] = /^# .+\n\nDate: (\d{4}-\d\d-\d\d) · Status: (.+)$/m.exec(text) ?? []
  if (!date) return ['"Date: YYYY-MM-DD · Status: …" is missing below the heading']
  const row = index.split('\n').find((line) => line.startsWith(`| [${number}](${file}) |`))
  if (!row) return ['the index has no row for it']
  const [indexDate, indexStatus] = row.replace(/ \|$/, '').split(' | ').slice(-2)
  return [
    ...(indexDate === date ? [] : [`the date of the index is ${indexDate}`]),
    ...(numbersIn(indexStatus) === numbersIn(status.replace(/\]\([^)]*\)/g, ''))
      ? []
      : [`the status is "${status}", that of the index "${indexStatus}"`]),
    ...['Context', 'Decision', 'Consequences']
      .filter((heading) => !text.includes(`\n## ${heading}\n`))
      .map((heading) => `the heading "${heading}" is missing`)
  ]
}

/** The numbers of other records that a status names. */
function numbersIn(status) {
  return String(status.match(/\d+/g) ?? [])
}
