import { readdirSync, readFileSync } from 'node:fs'
import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin'
import { IdGenerator, type PickleStep } from '@cucumber/messages'

/** Runs one step. */
export interface Step<W> {
  readonly pattern: RegExp
  readonly run: (world: W, captured: readonly string[], table: readonly (readonly string[])[]) => unknown
}

/** A case of an official suite: a scenario, or one row of an outline's examples. */
export interface Case {
  /** The name of the scenario and the number of the case. */
  readonly title: string
  /** Its tags, name and steps, line by line. */
  readonly text: string
  readonly steps: readonly PickleStep[]
}

/** Returns the cases of every official suite by file name. */
export function readSuites(directory: URL): Map<string, Case[]> {
  const files = readdirSync(directory).filter((name) => name.endsWith('.feature'))
  return new Map(files.sort().map((file) => [file, readCases(new URL(file, directory))]))
}

function readCases(file: URL): Case[] {
  const newId = IdGenerator.incrementing()
  const parser = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher())
  const document = parser.parse(readFileSync(file, 'utf8'))
  const counts = new Map<string, number>()
  return compile(document, file.pathname, newId).map(({ name, steps, tags }) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const lines = [...tags.map((tag) => tag.name), name, ...steps.map(({ text }) => text)]
    return { title: `${name} ${count}`, text: lines.join('\n'), steps }
  })
}

/** Runs a case. A step without exactly one meaning fails it. */
export async function runCase<W>({ steps }: Case, world: W, known: readonly Step<W>[]): Promise<void> {
  for (const { text, argument } of steps) {
    const meant = known.flatMap(({ pattern, run }) => {
      const match = pattern.exec(text)
      return match ? [{ run, captured: match.slice(1) }] : []
    })
    const [step] = meant
    if (!step || meant.length > 1) throw new Error(`${meant.length} steps, rather than one, are "${text}"`)
    const table = argument?.dataTable?.rows.map(({ cells }) => cells.map(({ value }) => value)) ?? []
    await step.run(world, step.captured, table)
  }
}
