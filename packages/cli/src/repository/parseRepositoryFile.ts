import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import { z } from 'zod'
import { hasOneGroup } from '../code/languages/hasOneGroup.ts'
import { explainIssue } from '../document/read/explainIssue.ts'
import { parseFileTextStrictly } from '../document/read/fileText.ts'

const Expression = z.string().refine(hasOneGroup, 'should be a regular expression with one group, which is the key')

const Scan = z
  .strictObject({
    include: z.array(z.string()),
    exclude: z.array(z.string()),
    clients: z.array(z.string()),
    wrappers: z.array(z.strictObject({ name: z.string(), key: z.int().min(0).max(9).default(0) })),
    aliases: z.record(z.string(), z.string()),
    patterns: z.record(z.string(), z.array(Expression))
  })
  .partial()

/** The settings of `burgee types`. */
const Types = z.strictObject({ out: z.string().min(1), openfeature: z.boolean(), obfuscate: z.boolean() }).partial()

/** The settings of `burgee plan`, `apply` and `pull`. */
const State = z.strictObject({ files: z.array(z.string().min(1)).min(1) }).partial()

const RepositoryFile = z
  .strictObject({ project: z.string(), environment: z.string(), types: Types, state: State, scan: Scan })
  .partial()

/** The settings of a repository, for everyone who works in it. They name no server, so that a repository gets no credentials. */
export type RepositorySettings = z.infer<typeof RepositoryFile>

/** Parses the settings of a repository. @throws {UsageError} with the place of every issue. */
export function parseRepositoryFile(path: string, text: string): RepositorySettings {
  const file = parseFileTextStrictly(path, text)
  const { data, error } = RepositoryFile.safeParse(file.value ?? {})
  if (!error) return data
  const lines = error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      const value = issue.path.reduce<unknown>((part, name) => Object(part)[name], file.value)
      return [`${file.placeOf(issue.path)}: ${issue.path.join('.')} ${explainIssue(issue, value)}`]
    }
    const known = membersAt(issue.path)
    return issue.keys.map((key) => {
      const hint = suggestion(key, known) || `: it should be one of ${known.join(', ')}`
      return `${file.placeOfName([...issue.path, key])}: ${[...issue.path, key].join('.')} is not known${hint}`
    })
  })
  throw new UsageError(lines.join('\n'))
}

function membersAt([first, second]: readonly PropertyKey[]): readonly string[] {
  if (first === 'types') return Object.keys(Types.shape)
  if (first === 'state') return Object.keys(State.shape)
  if (first !== 'scan') return Object.keys(RepositoryFile.shape)
  return second === 'wrappers' ? ['name', 'key'] : Object.keys(Scan.shape)
}
