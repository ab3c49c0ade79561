import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Operations } from '@burgee/contract'
import { type ApiResponse, type Call, call, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { NOW, type Plan } from '@burgee/testing/plan'
import { makeFolder, runHere } from './program.ts'

/** A server with project `shop`, and a folder of files that describe it. */
export interface Shop {
  readonly server: TestServer
  readonly folder: string
  readonly environment: Readonly<Record<string, string>> & { readonly BURGEE_CONFIG_DIR: string }
  /** Runs a command line. `FLAGS` stands for the folder of the files; a person confirms if `answer` is given. */
  readonly run: (
    line: string,
    answer?: string | (() => Promise<string>),
    environment?: Readonly<Record<string, string>>
  ) => ReturnType<typeof runHere>
  /** Runs a command line whose output is JSON, and returns it. */
  readonly json: (line: string) => Promise<ApiResponse['body']>
  readonly write: (name: string, text: string) => Promise<void>
  readonly read: (name: string) => Promise<string>
  /** Calls an operation on project shop, and returns the body of its response. */
  readonly ask: (id: keyof Operations, given?: Call) => Promise<ApiResponse['body']>
}

export async function openShop(plan: Plan = {}): Promise<Shop> {
  const server = await serve({ environments: { production: {}, development: {} }, ...plan })
  const ask: Shop['ask'] = async (id, given = {}) => {
    const { status, body } = await call(server, id, { ...given, params: { project: 'shop', ...given.params } })
    if (status >= 300) throw new Error(`${id} returned ${status}: ${JSON.stringify(body)}`)
    return body
  }
  await ask('updateEnvironment', { params: { key: 'development' }, body: { type: 'development' } })
  const folder = await makeFolder()
  const environment = {
    BURGEE_URL: server.url,
    BURGEE_TOKEN: await tokenOf(server),
    BURGEE_PROJECT: 'shop',
    BURGEE_CONFIG_DIR: await makeFolder()
  }
  const run: Shop['run'] = async (line, answer, more = {}) => {
    const ask = async () => (typeof answer === 'function' ? answer() : (answer ?? ''))
    const person = answer === undefined ? { isTerminal: true } : { isTerminal: true, ask }
    const args = line.split(' ').map((word) => word.replace('FLAGS', folder))
    const ended = await runHere(args, { ...environment, ...more }, { ...person, now: () => NOW })
    const clean = (text: string) =>
      text.replaceAll(server.url, 'SERVER').replace(new RegExp(`(\\.\\./)*[^\\s:()"]*${folder.slice(1)}`, 'g'), 'FLAGS')
    return { code: ended.code, stdout: clean(ended.stdout), stderr: clean(ended.stderr) }
  }
  return {
    server,
    folder,
    environment,
    run,
    json: async (line) => {
      const { stdout, stderr } = await run(`${line} --json`)
      if (stdout === '') throw new Error(stderr)
      return JSON.parse(stdout)
    },
    write: async (name, text) => {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    },
    read: (name) => readFile(join(folder, name), 'utf8'),
    ask
  }
}

/** A file with one resource of each kind. */
export const CHECKOUT = `# The checkout team owns this file.
burgee: 1
project: shop
customProperties:
  plan:
    name: Plan
    type: String
    propertyKey: plan
    allowed: [free, pro]
    allowOthers: false
audiences:
  beta:
    name: Beta testers
    for:
      - { type: user, subType: email, comparator: endWith, values: ["@example.com"] }
variables:
  legacy-limit: { type: Number, persistent: true }
metrics:
  purchase: { name: Purchase, event: purchase, dimension: COUNT_PER_UNIQUE_USER, optimize: increase }
features:
  new-checkout:
    name: New checkout
    tags: [checkout]
    summary: |
      Two steps instead of five.
    variables:
      steps: { type: Number }
    variations:
      "on": { name: "On", values: { steps: 2 } }
      "off": { name: "Off", values: { steps: 5 } }
    metrics: [purchase]
    environments:
      development:
        status: "on"
        targets:
          - name: Beta testers
            for: [{ type: audienceMatch, _audiences: [beta] }]
            serve: "on"
          - name: Others
            for: everybody
            serve: { "on": 50%, "off": 50% }
            rollout:
              type: gradual
              startDate: 2026-03-01T12:00:00Z
              startPercentage: 20%
              stages: [{ type: linear, percentage: 100%, date: 2026-03-08T12:00:00Z }]
`
