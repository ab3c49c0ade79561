import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { options, serve } from '@burgee/testing/harness'
import { personToken } from '@burgee/testing/personToken'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, describe, expect, it } from 'vitest'
import { manifest } from '../../src/manifest/manifest.ts'
import type { OperationCommand } from '../../src/manifest/operationCommand.ts'
import { executable, makeFolder, run } from '../support/program.ts'

/** Ids that the server assigns, which no example can know. */
const UNKNOWN_ID = '65f0c0ffee0123456789abcd'

/** What examples of other commands show. They run first, in the order of the records. */
const isCreation = ({ name, example }: OperationCommand) => {
  const isNew = / (create|connect-\w+|link|set|upload)$|^(management|identity) update$|^features status$/.test(name)
  return (
    isNew && !example.includes(UNKNOWN_ID) && !/^(change-requests|promotions|overrides|features create-many)/.test(name)
  )
}

const isRead = ({ name, row: { method } }: OperationCommand) => {
  return method === 'GET' || / (explain|preview|validate)$/.test(name)
}

let environment: Readonly<Record<string, string>>
let person: string

beforeAll(async () => {
  const server = await serve(await temporaryDirectory(), { demo: true })
  const folder = await makeFolder()
  await writeFile(join(folder, 'access-token.txt'), 'a token\n')
  await writeFile(join(folder, 'burgee'), `#!/bin/sh\nexec '${process.execPath}' '${executable}' "$@"\n`)
  await chmod(join(folder, 'burgee'), 0o755)
  environment = {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: folder,
    BURGEE_URL: server.url,
    BURGEE_PROJECT: 'demo',
    BURGEE_CLIENT_ID: options.adminClientId,
    BURGEE_CLIENT_SECRET: options.adminClientSecret,
    BURGEE_CONFIG_DIR: folder
  }
  const account = ['--email', 'alan@example.com', '--name', 'Alan', '--roles', '[{"role":"organization_owner"}]']
  const { stdout, stderr } = await run(['users', 'create', ...account], environment)
  expect(stderr).toBe('')
  person = await personToken(server, JSON.parse(stdout).user_id)
})

/** Runs the example that the help of a command prints, in a shell. There, nobody can confirm changes of production. */
async function runExample({ name }: OperationCommand) {
  const { stdout: help } = await run([...name.split(' '), '--help'])
  const [, line = ''] = /^Example:\n {2}(burgee .+)$/m.exec(help) ?? []
  expect(line, `the example of burgee ${name}`).toContain(`burgee ${name}`)
  const confirmed = /^ +-y, --yes/m.test(help) ? `${line} --yes` : line
  const own = /^(me |identity|overrides)/.test(name) ? { BURGEE_TOKEN: person } : {}
  const shell = { env: { ...environment, ...own }, cwd: environment.HOME }
  return new Promise<{ line: string; code: number; stderr: string }>((resolve) => {
    const child = execFile('bash', ['-c', confirmed], shell, (_error, _stdout, stderr) => {
      resolve({ line, code: child.exitCode ?? -1, stderr })
    })
  })
}

describe('on the demo project, the printed example', () => {
  it.each(
    manifest()
      .filter(isCreation)
      .map((command) => [command.name, command] as const)
  )('of burgee %s creates what others show', async (_, command) => {
    expect(await runExample(command)).toMatchObject({ code: 0 })
  })

  it.each(
    manifest()
      .filter(isRead)
      .map((command) => [command.name, command] as const)
  )('of burgee %s works', async (_, command) => {
    const { line, code, stderr } = await runExample(command)
    if (line.includes(UNKNOWN_ID)) expect([code, stderr]).toEqual([5, expect.stringContaining('NOT_FOUND')])
    else expect([code, stderr], line).toEqual([0, ''])
  })
})
