// A scripted assistant: creates a feature, rolls it out, reads the results, and cleans up. The person who confirms is
// scripted too.
import assert from 'node:assert/strict'
import { createClient, createTokenSource } from '@burgee/contract/client'
import { parseOptions, startServer } from '@burgee/server'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const settings = ['--mcp', '--store', 'memory:', '--port', '0', '--log-level', 'error']
const server = await startServer(parseOptions(settings, {}))
const credentials = { tokenSource: createTokenSource({ baseUrl: server.url, credentials: server.administrator }) }
const manage = createClient({ baseUrl: server.url, credentials })
const allUsers = { filters: { operator: 'and', filters: [{ type: 'all' }] } }

// The host: the program that an assistant runs in. It shows each question to the person, and returns their reply.
const questions = []
let reply = 'yes'
const host = new Client({ name: 'example-host', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
host.setRequestHandler('elicitation/create', async ({ params }) => {
  questions.push(params.message)
  console.log(`\n${params.message}\n> ${reply}\n`)
  return reply === 'yes' ? { action: 'accept', content: { confirm: true, key: 'fast-search' } } : { action: 'decline' }
})

/** Calls a tool, and returns its result. */
async function callTool(name, input = {}) {
  console.log(`${name} ${JSON.stringify(input)}`)
  const { content, structuredContent, isError } = await host.callTool({ name, arguments: input })
  assert.ok(!isError, content[0].text)
  return structuredContent?.result ?? content[0].text
}

try {
  await manage.createProject({ body: { key: 'shop', name: 'Shop' } })
  // A person would sign in through the browser; a client of the API has a token of its own.
  const authProvider = { token: () => credentials.tokenSource.getToken('') }
  await host.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), { authProvider }))

  // 1. The person chooses a project.
  const { availableProjects } = await callTool('select_project')
  assert.deepEqual(
    availableProjects.map(({ key }) => key),
    ['shop']
  )
  const { selectedProject } = await callTool('select_project', { projectKey: 'shop', includeServerKeys: true })
  const production = selectedProject.environments.find(({ key }) => key === 'production')

  // 2. A feature that is on in development. The person first declines, and nothing is changed.
  const feature = {
    key: 'fast-search',
    name: 'Fast search',
    variables: [{ key: 'fast-search', type: 'Boolean' }],
    variations: [
      { key: 'on', name: 'On', variables: { 'fast-search': true } },
      { key: 'off', name: 'Off', variables: { 'fast-search': false } }
    ],
    configurations: {
      development: {
        status: 'active',
        targets: [{ name: 'All users', audience: allUsers, distribution: [{ _variation: 'on', percentage: 1 }] }]
      }
    }
  }
  reply = 'no'
  assert.match((await callTool('create_feature', feature)).message, /Nothing was changed/)
  assert.deepEqual(await callTool('list_features'), [])
  reply = 'yes'
  assert.equal((await callTool('create_feature', feature)).source, 'mcp')

  // 3. Half of the users in production. The question names the environment that the change affects.
  const half = [
    { _variation: 'on', percentage: 0.5 },
    { _variation: 'off', percentage: 0.5 }
  ]
  await callTool('update_feature', {
    key: 'fast-search',
    configurations: {
      production: {
        status: 'active',
        targets: [{ name: 'Half of all users', audience: allUsers, distribution: half }]
      }
    }
  })
  assert.match(questions.at(-1), /Affects users in production \(live\)/)

  // 4. The application evaluates for its users.
  const [{ key: sdkKey }] = production.sdkKeys.server
  const seen = { true: 0, false: 0 }
  const USERS = 40
  for (let index = 0; index < USERS; index++) seen[await valueFor(sdkKey, `user-${index}`)]++
  console.log(`\n${seen.true} of ${USERS} users have the fast search\n`)
  assert.ok(seen.true > 0 && seen.false > 0)

  // 5. The evaluation counts of the day match those of the application.
  const { result } = await callTool('get_feature_total_evaluations', {
    featureKey: 'fast-search',
    environment: 'production',
    period: 'day'
  })
  const served = { on: 0, off: 0 }
  // Two days, if the program runs at midnight.
  for (const { values } of result.evaluations) for (const key in served) served[key] += values[key] ?? 0
  assert.deepEqual(served, { on: seen.true, off: seen.false })

  // 6. All users get the fast search.
  const complete = { key: 'fast-search', status: 'complete', staticVariation: 'on' }
  assert.equal((await callTool('update_feature_status', complete)).status, 'complete')
  assert.equal(await valueFor(sdkKey, 'ada'), true)

  // 7. The guide for removing the feature from code contains its facts.
  const guide = await callTool('cleanup_feature', { featureKey: 'fast-search' })
  const facts = JSON.parse(/## Facts\n[\s\S]*?```json\n([\s\S]*?)\n```/.exec(guide)[1])
  assert.deepEqual(facts.servedInProduction, { variation: 'on' })
  assert.deepEqual(
    facts.variables.map(({ key, value }) => [key, value]),
    [['fast-search', true]]
  )

  // 8. The code no longer uses the feature: it is archived, then deleted with its variable.
  await callTool('update_feature_status', { key: 'fast-search', status: 'archived' })
  assert.equal(await valueFor(sdkKey, 'ada'), undefined)
  await callTool('delete_feature', { key: 'fast-search' })
  assert.match(questions.at(-1), /CANNOT BE UNDONE/)
  await callTool('delete_variable', { key: 'fast-search' })
  assert.deepEqual([await callTool('list_features'), await callTool('list_variables')], [[], []])

  // 9. The audit log records the source `mcp` and the program of the assistant.
  const audit = await manage.listAuditEntries({ query: { project: 'shop', sortOrder: 'asc' } })
  const changes = audit.filter(({ source }) => source === 'mcp')
  assert.deepEqual(
    changes.map(({ clientId, assistant, changes: [{ type }] }) => [clientId, assistant, type]),
    [
      'createdFeature',
      'addedTarget',
      'modifiedFeatureStatus',
      'modifiedFeatureStatus',
      'deletedFeature',
      'deletedVariable'
    ].map((type) => [server.administrator.clientId, 'example-host 1.0.0', type])
  )
  console.log(`${changes.length} changes, each confirmed; ${questions.length} questions in all`)
} finally {
  await host.close()
  await server.close()
}

/** Returns the value that the application gets for a user; undefined if it uses its own default. */
async function valueFor(sdkKey, user) {
  const response = await fetch(`${server.url}/v1/variables/fast-search`, {
    method: 'POST',
    headers: { authorization: sdkKey, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: user })
  })
  if (response.status === 404) return undefined
  assert.equal(response.status, 200)
  return (await response.json()).value
}
