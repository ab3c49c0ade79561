import { type Operation, operations } from '@burgee/contract'
import { ProjectChange } from '@burgee/contract/schemas'
import { z } from 'zod'

const Profile = z.object({
  name: z.string(),
  server: z.string(),
  project: z.string().exactOptional(),
  environment: z.string().exactOptional()
})

const Override = z.object({ file: z.string(), variable: z.string() })

/** The schemas of what commands about this program and its accounts print, by the name of the command. */
export const programSchemas: Readonly<Record<string, z.ZodType>> = {
  init: z.object({
    file: z.string(),
    project: z.string(),
    environment: z.string(),
    types: z.string().exactOptional()
  }),
  login: z.object({ server: z.string(), profile: z.string(), account: z.string() }),
  logout: z.array(
    z.object({
      server: z.string(),
      outcome: z.enum(['signedOut', 'notSignedIn']),
      problem: z.string().exactOptional().meta({ description: 'Why the server did not revoke the sign-in.' })
    })
  ),
  whoami: z.object({
    id: z.string().exactOptional(),
    name: z.string().exactOptional(),
    email: z.string().exactOptional(),
    clientId: z.string().exactOptional(),
    organization: z.string().exactOptional(),
    server: z.string(),
    profile: z.string().exactOptional(),
    project: z.string().exactOptional(),
    environment: z.string().exactOptional(),
    credentials: z.string().meta({ description: 'Where the credentials are from.' })
  }),
  use: Profile,
  'profiles list': z.array(Profile.extend({ isCurrent: z.boolean() })),
  doctor: z.object({
    isOk: z.boolean(),
    server: z.string(),
    version: z.string(),
    checks: z.array(
      z.object({ check: z.string(), isOk: z.boolean(), detail: z.string(), hint: z.string().exactOptional() })
    )
  }),
  watch: ProjectChange.meta({ description: 'Each line.' }),
  dev: z.object({ url: z.string(), project: z.string(), environment: z.string() }),
  'dev set': Override.extend({ value: z.unknown() }),
  'dev unset': Override,
  'dev list': z.array(
    z.object({
      kind: z.enum(['variable', 'feature']),
      key: z.string(),
      value: z.unknown(),
      user: z.string().exactOptional()
    })
  ),
  commands: z.array(
    z.object({
      name: z.string(),
      summary: z.string(),
      arguments: z.array(z.string()),
      flags: z.array(
        z.object({
          flag: z.string(),
          value: z.string().exactOptional(),
          isList: z.literal(true).exactOptional(),
          variable: z.string().exactOptional(),
          default: z.string().exactOptional(),
          help: z.string()
        })
      ),
      details: z.string().exactOptional()
    })
  )
}

/** Why some commands print no JSON that a schema describes. */
export const withoutSchema: Readonly<Record<string, string>> = {
  api: 'prints the response of the request that it sends',
  schema: 'prints a JSON Schema',
  'profiles remove': 'prints no result',
  'completion keys': 'prints no result'
}

/** Returns the schema of the response of an operation. */
export function responseSchema(id: string): z.ZodType | undefined {
  const records: Readonly<Record<string, Operation>> = operations
  return records[id]?.response
}
