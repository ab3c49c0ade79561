import { operations } from '@burgee/contract'
import { UpdateCodeUsages } from '@burgee/contract/schemas'
import { z } from 'zod'
import { sectionNames } from '../document/projectDocument.ts'

const Place = z.object({
  file: z.string(),
  language: z.string(),
  line: z.int(),
  column: z.int(),
  endLine: z.int(),
  isTest: z.boolean()
})

const CodeRead = Place.extend({ key: z.string(), confidence: z.enum(['certain', 'likely']) })

const DynamicRead = Place.extend({ expression: z.string().meta({ description: 'The expression of the key.' }) })

const ReadWithStatus = CodeRead.extend({
  status: z
    .string()
    .meta({ description: 'That of the variable; `unknown` if the project has none, `unchecked` offline.' })
})

/** The body of the upload, which has no repository and branch where they are unknown. */
const ScannedCode = z.object({
  ...UpdateCodeUsages.shape,
  repo: UpdateCodeUsages.shape.repo.exactOptional(),
  branch: UpdateCodeUsages.shape.branch.exactOptional()
})

const ScanProblem = z.object({
  file: z.string(),
  isSearched: z.boolean().meta({ description: 'False for a file that is too large or not text.' }),
  message: z.string()
})

const Action = z.enum(['create', 'update', 'archive', 'delete'])

const WrittenFiles = z.object({ project: z.string(), files: z.array(z.string()) })

const Applied = z.object({
  project: z.string(),
  items: z.array(
    z.object({
      resource: z.string(),
      action: Action,
      outcome: z.enum(['applied', 'requested', 'failed', 'skipped', 'notStarted']),
      changeRequests: z.array(z.string()).exactOptional(),
      reason: z.string().exactOptional(),
      hint: z.string().exactOptional().meta({ description: 'What to do about the failure.' }),
      exit: z.int().exactOptional().meta({ description: 'The exit code of the failure.' })
    })
  )
})

/** The schemas of what commands about code and files print, by the name of the command. */
export const codeSchemas: Readonly<Record<string, z.ZodType>> = {
  usages: z.object({
    files: z.int(),
    variables: z.array(z.object({ key: z.string(), status: z.string(), reads: z.array(CodeRead) })),
    dynamic: z.array(DynamicRead),
    problems: z.array(ScanProblem)
  }),
  scan: z.union([operations.updateCodeUsages.response, ScannedCode]),
  diff: z.object({ added: z.array(ReadWithStatus), removed: z.array(ReadWithStatus) }),
  cleanup: z.object({
    variable: z.string(),
    value: z.unknown(),
    isWritten: z.boolean(),
    files: z.array(z.object({ file: z.string(), diff: z.string() })),
    left: z.array(CodeRead),
    dynamic: z.array(DynamicRead),
    problems: z.array(ScanProblem)
  }),
  types: z.object({ file: z.string(), outcome: z.string() }),
  stale: z.array(
    z.object({
      key: z.string(),
      reason: z.enum(['released', 'unused', 'unmodifiedShort', 'unmodifiedLong']),
      since: z.string(),
      disabled: z.boolean(),
      snoozedUntil: z.string().exactOptional(),
      reads: z.int().exactOptional(),
      action: z.string()
    })
  ),
  plan: z.object({
    project: z.string(),
    label: z.string(),
    changes: z.array(
      z.object({
        resource: z.string(),
        action: Action,
        onIn: z.array(z.string()).exactOptional().meta({
          description: 'The environments in which a feature that would be deleted is on: apply needs --force.'
        }),
        members: z.array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown(), isDrift: z.boolean() }))
      })
    ),
    kept: z.array(
      z.object({ resource: z.string(), reason: z.enum(['onRemoved', 'allowDelete', 'drift', 'settings']) })
    ),
    conflicts: z.array(z.object({ resource: z.string(), label: z.string() })),
    previews: z
      .array(
        z.object({
          resource: z.string(),
          outcome: z.enum(['accepted', 'refused', 'notPreviewed']),
          place: z.string().exactOptional(),
          reason: z.string().exactOptional(),
          environments: z.array(
            z.object({
              environment: z.string(),
              moved: z.int(),
              sampleSize: z.int(),
              source: z.enum(['recent', 'synthetic'])
            })
          )
        })
      )
      .exactOptional()
  }),
  apply: Applied,
  import: Applied,
  pull: z.union([
    WrittenFiles,
    z.object({
      project: z.string(),
      changes: z.array(z.object({ file: z.string(), resource: z.string(), path: z.string() }))
    })
  ]),
  export: z.union([
    WrittenFiles,
    z
      .object({ project: z.string() })
      .loose()
      .meta({
        description: `The file itself, without --out: ${sectionNames.join(', ')}. See burgee schema project-file.`
      })
  ])
}
