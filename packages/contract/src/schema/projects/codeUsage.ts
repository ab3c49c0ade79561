import { z } from 'zod'
import { DateTime, Id, LineInput } from '../common/fields.ts'
import { createdAt, ids } from '../examples/shop.ts'

/** The maximum number of references of one scan. */
export const MAX_CODE_REFERENCES = 20_000

const Line = z.int().min(1).max(10_000_000)
const LineNumbers = z.object({ start: Line, end: Line })

/** A place in code that reads a variable. */
export const CodeReference = z.object({
  fileName: LineInput.min(1).max(1000).meta({ description: 'The path in the repository, with `/`.' }),
  language: LineInput.max(50).exactOptional(),
  lineNumbers: LineNumbers,
  column: z.int().min(1).max(10_000_000).exactOptional(),
  confidence: z.enum(['certain', 'likely']).exactOptional().meta({
    description:
      '`certain`: the call belongs to an SDK that the file imports. `likely`: the call has the name of one of an SDK.'
  }),
  isTest: z.boolean().exactOptional().meta({ description: 'Whether the file has tests.' }),
  codeSnippet: z
    .object({ lineNumbers: LineNumbers, content: z.string().max(2000) })
    .exactOptional()
    .meta({ description: 'Lines around the reference.' })
})
export type CodeReference = z.infer<typeof CodeReference>

const example = {
  source: 'github',
  repo: 'example/shop',
  branch: 'main',
  commit: '3f2c1d9',
  isDefaultBranch: true,
  variables: [
    {
      key: 'new-checkout',
      references: [
        {
          fileName: 'src/checkout.ts',
          language: 'typescript',
          lineNumbers: { start: 12, end: 12 },
          column: 7,
          confidence: 'certain',
          isTest: false
        }
      ]
    }
  ],
  dynamic: [{ fileName: 'src/flags.ts', lineNumbers: { start: 3, end: 3 }, expression: 'key' }]
} as const

/** The body that replaces the references of one branch of a repository. */
export const UpdateCodeUsages = z
  .object({
    source: LineInput.min(1).max(50).meta({ description: 'The tool that scanned: `cli`, `github` …' }),
    repo: LineInput.min(1)
      .max(200)
      .meta({ description: 'The repository, as in `owner/name`.', example: 'example/shop' }),
    branch: LineInput.min(1).max(250).meta({ description: 'The branch that was scanned.', example: 'main' }),
    commit: LineInput.min(1).max(64).exactOptional().meta({ description: 'The commit that was scanned.' }),
    isDefaultBranch: z.boolean().exactOptional().meta({
      description: 'Whether the branch is the default branch. If omitted: branches named main, master or trunk are.'
    }),
    variables: z
      .array(z.object({ key: z.string().min(1).max(200), references: z.array(CodeReference).max(MAX_CODE_REFERENCES) }))
      .max(10_000)
      .meta({ description: 'The variables that the code reads, each with the places.' }),
    dynamic: z
      .array(
        z.object({
          fileName: CodeReference.shape.fileName,
          lineNumbers: LineNumbers,
          expression: z.string().max(500).exactOptional()
        })
      )
      .max(10_000)
      .exactOptional()
      .meta({ description: 'The places that read a variable whose key is only known when the code runs.' })
  })
  .superRefine(({ variables }, context) => {
    const count = variables.reduce((total, { references }) => total + references.length, 0)
    if (count <= MAX_CODE_REFERENCES) return
    const message = `should have at most ${MAX_CODE_REFERENCES} references, got ${count}`
    context.addIssue({ code: 'custom', path: ['variables'], message })
  })
  .meta({
    id: 'UpdateCodeUsages',
    description: 'Unknown members are ignored, since several tools send this body.',
    example
  })
export type UpdateCodeUsages = z.infer<typeof UpdateCodeUsages>

const { source, repo, branch, commit } = UpdateCodeUsages.shape

/** What a scan of a branch found. */
export const CodeScan = z
  .object({
    _id: Id,
    source,
    repo,
    branch,
    commit,
    isDefaultBranch: z.boolean(),
    scannedAt: DateTime,
    references: z.int().meta({ description: 'The number of references.' }),
    dynamic: z.int().meta({ description: 'The number of reads whose key is only known when the code runs.' }),
    unknown: z.array(z.string()).meta({ description: 'The keys that are read and are no variable of the project.' })
  })
  .meta({
    id: 'CodeScan',
    example: {
      _id: ids.variable,
      source: example.source,
      repo: example.repo,
      branch: example.branch,
      commit: example.commit,
      isDefaultBranch: true,
      scannedAt: createdAt,
      references: 1,
      dynamic: 1,
      unknown: []
    }
  })
export type CodeScan = z.infer<typeof CodeScan>

/** The places in one branch of a repository that read one variable. */
export const CodeUsage = CodeScan.pick({
  source: true,
  repo: true,
  branch: true,
  commit: true,
  isDefaultBranch: true,
  scannedAt: true
})
  .extend({
    key: z.string().meta({ description: 'The key of the variable, as the code has it.' }),
    isKnown: z.boolean().meta({ description: 'Whether it is a variable of the project.' }),
    references: z.array(CodeReference)
  })
  .meta({
    id: 'CodeUsage',
    example: {
      source: example.source,
      repo: example.repo,
      branch: example.branch,
      commit: example.commit,
      isDefaultBranch: true,
      scannedAt: createdAt,
      key: 'new-checkout',
      isKnown: true,
      references: [
        {
          fileName: 'src/checkout.ts',
          language: 'typescript',
          lineNumbers: { start: 12, end: 12 },
          column: 7,
          confidence: 'certain',
          isTest: false
        }
      ]
    }
  })
export type CodeUsage = z.infer<typeof CodeUsage>
