import { readFile } from 'node:fs/promises'
import { parseCommandLine } from '@burgee/kit/commandLine'
import { describeSettings, programVariables } from '@burgee/kit/settings'
import { expect, test } from 'vitest'
import { program } from '../../src/executable/program.ts'
import { settings } from '../../src/settings/settings.ts'

const rows = describeSettings(settings, program.prefix)

test('docs/guides/assistants.md lists the settings with their flags and defaults', async () => {
  const document = await readFile(new URL('../../../../docs/guides/assistants.md', import.meta.url), 'utf8')
  const table = [...document.matchAll(/^\| `([A-Z_]+)` \| (?:`(--[\w-]+)` )?\| (?:`(\S+)` |\w+ )?\|/gm)]
  const documented = table.map(([, variable, flag, standard = '']) => ({ variable, flag, standard }))
  expect(documented).toEqual(rows.map(({ variable, flag, default: standard }) => ({ variable, flag, standard })))
})

test('--help names every flag, variable and default', () => {
  const line = parseCommandLine(program, ['--help'], {})
  const help = line.type === 'print' ? line.text.replace(/\s+/g, ' ') : ''
  for (const { flag, variable, default: standard } of rows) {
    expect(help).toContain(flag ?? variable)
    expect(help).toContain(
      flag === undefined || standard === '' ? variable : `(default: ${standard}, env: ${variable})`
    )
  }
  for (const { name } of program.commands) expect(help).toContain(` ${name} `)
})

test.each([
  [['--prot', '1'], "unknown option '--prot' (did you mean --port?). See burgee-mcp --help"],
  [['login', '--no-brwser'], "unknown option '--no-brwser' (did you mean --no-browser?). See burgee-mcp login --help"],
  [['project', 'a', 'b'], /too many arguments for 'project'/],
  [['whoami', 'me'], /too many arguments for 'whoami'/],
  [['--port', '1', 'login'], 'burgee-mcp login does not take --port. See burgee-mcp login --help']
])('%j is refused: %s', (args, message) => {
  expect(() => parseCommandLine(program, args, {})).toThrow(message)
})

test('warns about misspelled variables, but not about variables of other programs', () => {
  const ofServer = { BURGEE_STORE: 'x', BURGEE_PORT: '1', BURGEE_DASHBOARD: 'off', BURGEE_OIDC_CLIENT_SECRET: 'x' }
  const others = { ...ofServer, BURGEE_SDK_KEY: 'x', BURGEE_DASHBOARD_URL: '', SERVICE_NAME: 'x', SERVICE_HOST: 'x' }
  const line = parseCommandLine(program, [], { BURGEE_MCP_PROT: '1', SERVICE_API_ULR: 'x', ...others })
  expect(line).toMatchObject({
    warnings: [
      'BURGEE_MCP_PROT is not a setting (did you mean BURGEE_MCP_PORT?)',
      'SERVICE_API_ULR is not a setting (did you mean SERVICE_API_URL?)'
    ]
  })
})

test.each([
  ['BURGEE_URL', 'SERVICE_API_URL'],
  ['BURGEE_API_URL', 'SERVICE_API_URL'],
  ['BURGEE_CLIENT_ID', 'SERVICE_CLIENT_ID'],
  ['BURGEE_PROJECT_KEY', 'SERVICE_PROJECT_KEY'],
  ['BURGEE_READ_ONLY', 'BURGEE_MCP_READ_ONLY'],
  ['BURGEE_DASHBOARD_ULR', 'BURGEE_DASHBOARD_URL']
])('warns that %s is not a setting, and names %s', (variable, nearest) => {
  const line = parseCommandLine(program, [], { [variable]: 'x' })
  expect(line).toMatchObject({ warnings: [`${variable} is not a setting (did you mean ${nearest}?)`] })
})

test('an empty variable counts as unset', () => {
  const line = parseCommandLine(program, [], { SERVICE_API_URL: '', BURGEE_MCP_PORT: '', DEBUG: '' })
  expect(line).toMatchObject({ given: { settings: { apiUrl: 'http://127.0.0.1:8080', port: 8090 } }, warnings: [] })
})

test('other programs know the variables of burgee-mcp', () => {
  const all = [program.main, ...program.commands].flatMap((each) => describeSettings(each.settings, program.prefix))
  const own = all.flatMap(({ variable }) => (variable?.startsWith('BURGEE_') ? [variable] : []))
  expect(programVariables['burgee-mcp']).toEqual([...new Set(own)].sort())
})
