import { expect, test } from 'vitest'
import { scanSource } from '../../src/code/scanSource.ts'
import { generateCorpus } from './corpus.ts'

/** Scans a generated corpus, prints and returns what was missed and what was found without being there. */
function measure(name: string, isHard: boolean, hasProject = false) {
  const corpus = generateCorpus(1000, 20261129, { isHard })
  const knownKeys = hasProject ? new Set(corpus.flatMap(({ keys }) => keys)) : undefined
  const texts = new Map(corpus.map(({ file, text }) => [file, text]))
  const started = performance.now()
  const scan = scanSource(
    { files: [...texts.keys()], read: (file) => texts.get(file) },
    { wrappers: [], clients: [], aliases: new Map(), knownKeys, include: [], exclude: [] }
  )
  const took = Math.round(performance.now() - started)
  const expected = new Set(corpus.flatMap(({ file, keys }) => keys.map((key) => `${file} ${key}`)))
  const found = scan.reads.map(({ file, key }) => `${file} ${key}`)
  const missed = [...expected].filter((one) => !found.includes(one))
  const wrong = scan.reads.filter(({ file, key }) => !expected.has(`${file} ${key}`))
  const [recall, precision] = [1 - missed.length / expected.size, 1 - wrong.length / found.length]
  console.log(
    `${name}: ${scan.files} files, ${expected.size} reads, recall ${recall.toFixed(4)}, precision ${precision.toFixed(4)}, ${took} ms`
  )
  const dynamic = corpus.reduce((total, one) => total + one.dynamic, 0)
  return { scan, expected, missed, wrong, recall, precision, dynamic }
}

test('in 1,000 generated files, every read is found, and nothing else', () => {
  const { scan, expected, missed, wrong, dynamic } = measure('supported reads', false)
  expect(expected.size).toBeGreaterThan(2000)
  expect({ missed, wrong, problems: scan.problems }).toEqual({ missed: [], wrong: [], problems: [] })
  expect([scan.reads.length, scan.dynamic.length]).toEqual([expected.size, dynamic])
})

test('with reads through unknown functions, and methods of other libraries, few are missed and none is certain', () => {
  const { recall, precision, wrong } = measure('with hard cases', true)
  expect(recall).toBeGreaterThan(0.95)
  expect(precision).toBeGreaterThan(0.95)
  expect(wrong.filter(({ confidence }) => confidence === 'certain')).toEqual([])
})

test('calls of OpenFeature in Python, Go and Java with a literal key of the project are certain, and no others', () => {
  const { scan, expected } = measure('with the keys of a project', true, true)
  const reads = scan.reads.filter(({ language }) => /^(python|go|java)$/.test(language))
  const certain = reads.filter(({ confidence }) => confidence === 'certain')
  const all = [...expected].filter((one) => /\.(py|go|java) /.test(one))
  console.log(`Python, Go and Java: ${all.length} reads, ${certain.length} certain`)
  expect(certain.filter(({ file, key }) => !expected.has(`${file} ${key}`))).toEqual([])
  // The others have constants as keys, go through unknown functions, or call another SDK.
  expect(certain.length / all.length).toBeGreaterThan(0.4)
})
