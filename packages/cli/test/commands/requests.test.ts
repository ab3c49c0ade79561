import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { permissions as allPermissions } from '@burgee/contract'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { call, serve, storeWith, type TestServer, tokenOf } from '@burgee/testing/harness'
import { personToken } from '@burgee/testing/personToken'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, expect, test } from 'vitest'
import { makeFolder, runHere } from '../support/program.ts'

let server: TestServer
let author: Readonly<Record<string, string>>
let reviewer: Readonly<Record<string, string>>
let viewer: Readonly<Record<string, string>>
let settingsReviewer: Readonly<Record<string, string>>
let writer: Readonly<Record<string, string>>
let ownClient: Readonly<Record<string, string>>

const permissions = ['project:read', 'environment:read', 'feature:read', 'feature:write', 'feature:publish'] as const

beforeAll(async () => {
  const directory = await storeWith({
    environments: { production: {} },
    features: [{ key: 'banner', offIn: ['production'] }]
  })
  await addClients(directory, {
    reviewer: permissions,
    settingsReviewer: [...permissions, 'project:write:settings'],
    writer: permissions.slice(0, 4),
    viewer: permissions.slice(0, 3),
    keeper: allPermissions.filter((name) => name !== 'feature:publish'),
    lister: allPermissions.filter((name) => name !== 'project:write'),
    auditor: allPermissions.filter((name) => name.includes(':read'))
  })
  server = await serve(directory)
  author = {
    BURGEE_URL: server.url,
    BURGEE_TOKEN: await tokenOf(server),
    BURGEE_PROJECT: 'shop',
    BURGEE_CONFIG_DIR: await makeFolder()
  }
  viewer = { ...author, BURGEE_TOKEN: await tokenFor(server, 'viewer') }
  writer = { ...author, BURGEE_TOKEN: await tokenFor(server, 'writer') }
  reviewer = { ...author, BURGEE_TOKEN: await tokenFor(server, 'reviewer') }
  settingsReviewer = { ...author, BURGEE_TOKEN: await tokenFor(server, 'settingsReviewer') }
  const { body: made } = await call(server, 'createApiClient', { body: { clientId: 'own', name: 'Own' } })
  const { BURGEE_TOKEN: _, ...others } = author
  ownClient = { ...others, BURGEE_CLIENT_ID: 'own', BURGEE_CLIENT_SECRET: made.clientSecret }
})

/** Runs a command at a narrow terminal where nobody answers questions. */
function run(line: string, environment = author) {
  return runHere(line.split(' '), environment, { isTerminal: true, width: 40, now: () => NOW })
}

test('where no approval is required, the message says what that means and how to change it', async () => {
  const id = '65f0c0ffee0123456789000d'
  for (const line of ['requests list', `requests show ${id}`, `requests approve ${id} --yes`]) {
    expect(await run(line)).toEqual({
      code: 6,
      stdout: '',
      stderr: [
        'burgee: project shop requires no approval, so it has no change requests: its flags change at once',
        `To require approval: burgee projects protected-settings update --settings '{"featureApprovalWorkflow":{"enabled":true}}'`,
        ''
      ].join('\n')
    })
  }
})

test('a missing permission is found before the question', async () => {
  const ask = () => Promise.reject(new Error('nobody is asked'))
  await call(server, 'createFeature', { params: { project: 'shop' }, body: { key: 'served', name: 'Served' } })
  expect((await run('flags on served --serve variation-on -e production --yes')).code).toBe(0)
  for (const line of ['flags off served -e production', 'flags kill served', 'rollout served --to 20 -e production']) {
    expect(await runHere(line.split(' '), viewer, { isTerminal: true, now: () => NOW, ask })).toEqual({
      code: 4,
      stdout: '',
      stderr:
        'burgee: this operation requires the permission feature:write\nAsk an administrator of the organization for the permission feature:write.\n'
    })
  }
})

test('what the server refuses is refused before the question, with the same text and code', async () => {
  const folder = await makeFolder()
  const files = join(folder, 'new.yaml')
  await writeFile(files, 'burgee: 1\nproject: fresh\n')
  const { body: production } = await call(server, 'getEnvironment', { params: { project: 'shop', key: 'production' } })
  const key = production.sdkKeys.server[0].key
  const refusals = [
    ['keeper', `keys revoke ${key} -e production`, 4, 'requires the permission feature:publish'],
    ['keeper', 'keys rotate --type server -e production', 4, 'requires the permission feature:publish'],
    ['lister', `import ${files} --create-project`, 4, 'requires the permission project:write'],
    ['auditor', `import ${files} --create-project`, 4, 'requires the permission project:write'],
    [undefined, `import ${files} --into shop --create-project`, 6, 'project shop exists already'],
    [undefined, 'variables delete banner', 6, 'banner'],
    [undefined, `keys revoke ${key} -e production`, 6, 'last item']
  ] as const
  for (const [client, line, expected, text] of refusals) {
    const account = client ? { ...viewer, BURGEE_TOKEN: await tokenFor(server, client) } : author
    const [asked, confirmed] = [
      await runHere(line.split(' '), account, {
        isTerminal: true,
        now: () => NOW,
        ask: () => Promise.reject(new Error('nobody is asked'))
      }),
      await runHere([...line.split(' '), '--yes'], account, { isTerminal: true, now: () => NOW })
    ]
    expect([line, asked.code, asked.stdout]).toEqual([line, expected, ''])
    expect(asked.stderr).toContain(text)
    expect(confirmed).toEqual(asked)
  }
})

test('a kill of a flag that is off everywhere says that nothing was recorded', async () => {
  await call(server, 'createFeature', { params: { project: 'shop' }, body: { key: 'quiet', name: 'Quiet' } })
  const { code, stdout } = await run('flags kill quiet --yes')
  expect(code).toBe(0)
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'quiet was already off in all environments of shop; nothing was recorded.'
  )
})

test('a missing permission to undo, to apply files, to delete and to rotate keys is found before the question', async () => {
  const ask = () => Promise.reject(new Error('nobody is asked'))
  const folder = await makeFolder()
  const files = join(folder, 'flags.yaml')
  await writeFile(files, 'burgee: 1\nproject: shop\nfeatures: { banner: { name: Other } }\n')
  const missing = {
    'undo served': 'feature:write',
    [`apply ${files}`]: 'feature:write',
    'features delete served': 'feature:delete',
    'projects delete shop': 'project:delete',
    'keys rotate --type server -e production': 'environment:write',
    'keys revoke some-key -e production': 'environment:write'
  }
  for (const [line, permission] of Object.entries(missing)) {
    for (const option of line.startsWith('keys revoke') ? [''] : ['', ' --yes']) {
      const auditor = { ...viewer, BURGEE_TOKEN: await tokenFor(server, 'auditor') }
      const { code, stdout, stderr } = await runHere(`${line}${option}`.split(' '), auditor, {
        isTerminal: true,
        now: () => NOW,
        ask
      })
      expect([line, code, stdout, stderr]).toEqual([
        line,
        4,
        '',
        `burgee: this operation requires the permission ${permission}\nAsk an administrator of the organization for the permission ${permission}.\n`
      ])
    }
  }
})

test('a change that requires approval becomes a request, which another person approves and applies', async () => {
  const body = { settings: { featureApprovalWorkflow: { enabled: true } } }
  const enabled = await call(server, 'updateProtectedSettings', { params: { key: 'shop' }, body })
  expect(enabled.status).toBe(200)
  const changed = await run(
    'rollout banner --to 20 --where country=CA --environment production --serve variation-on --yes'
  )
  const [, id = ''] = /Submitted change request (\w+)/.exec(changed.stdout + changed.stderr) ?? []
  expect([changed.code, id]).toEqual([8, expect.stringMatching(/^[0-9a-f]{24}$/)])
  expect((await run('requests list --status pending')).stdout).toContain(id)

  const shown = (await run(`requests show ${id}`)).stdout
  const sentences =
    'Turned on.\n    Added target “country CA”. Of users where country is Canada (CA), 20% are included now; they get variation-on; everyone else falls through to the next target.'
  expect(shown).toContain(`\n  banner in production:\n    ${sentences}\n`)
  expect(shown).not.toContain('…')

  const ownRequest = {
    code: 4,
    stderr: 'burgee: you made this change request, so another person has to approve it\n'
  }
  for (const action of ['approve', 'apply']) {
    expect(await run(`requests ${action} ${id}`, viewer)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^burgee: this operation requires the permission feature:(publish|write)\n/)
    })
  }
  // A client of the author, and a member with feature:write but without feature:publish.
  for (const option of ['', ' --yes']) {
    expect(await run(`requests approve ${id}${option}`, ownClient)).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('counts as its creator\n')
    })
    expect(await run(`requests approve ${id}${option}`, writer)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('requires the permission feature:publish\n')
    })
  }
  for (const option of ['', ' --yes']) {
    expect(await run(`features delete banner${option}`)).toMatchObject({
      code: 6,
      stdout: '',
      stderr: expect.stringContaining(`locked by change request ${id}`)
    })
    expect(await run(`requests approve ${id}${option}`)).toMatchObject(ownRequest)
    expect(await run(`requests apply ${id}${option}`)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(`change request ${id} is pending, and not approved\n`)
    })
  }
  expect(await run(`requests approve ${id}`, reviewer)).toMatchObject({ code: 11 })
  const approved = await run(`requests approve ${id} -m Tried. --yes`, reviewer)
  for (const option of ['', ' --yes']) {
    expect(await run(`requests apply ${id}${option}`, writer)).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('only users with feature:publish and its creator may apply')
    })
  }
  expect(approved).toMatchObject({ code: 0, stderr: shown })
  expect(approved.stdout).toBe(`Approved ${id}; its status is approved. Next: burgee requests apply ${id}\n`)
  expect(changed.stdout).toContain(`burgee requests approve ${id} --project shop\n`)
  expect((await run(`requests show ${id}`)).stdout).toMatch(/approved by .*: Tried\.$/m)
  const applied = await run(`change-requests apply ${id} --feature banner --action applied --description Go`)
  expect([applied.code, applied.stderr]).toEqual([11, expect.stringContaining('"Apply this change of banner?" needs')])
  expect(applied.stderr).toContain(sentences)
  const at = '2099-01-01T00:00:00.000Z'
  expect(await run(`change-requests schedule ${id} --feature banner --apply-at ${at}`)).toMatchObject({
    code: 11,
    stderr: expect.stringContaining('"Schedule this change of banner?" needs')
  })
  expect((await run(`change-requests schedule ${id} --feature banner --unset apply-at`)).code).toBe(0)
  expect((await run(`requests apply ${id} --yes`)).stdout).toBe(`Applied ${id} to banner.\n`)
  expect((await run('flags show banner')).stdout).toContain('20%')
})

test('a change request is rejected with a comment', async () => {
  const changed = await run('flags off banner --environment production --yes')
  const [, id = ''] = /Submitted change request (\w+)/.exec(changed.stdout) ?? []
  for (const option of ['', ' --yes']) {
    expect(await run(`requests reject ${id}${option}`, reviewer)).toMatchObject({ code: 2 })
  }
  const rejected = await run(`requests reject ${id} -m No --yes`, reviewer)
  expect([rejected.code, rejected.stdout]).toEqual([0, `Rejected ${id} of banner.\n`])
  expect((await run(`requests show ${id}`)).stdout).toMatch(/rejected by .*: No$/m)
})

test('the deletion of a flag that is on is refused where it requires approval, before the question', async () => {
  const ask = () => Promise.reject(new Error('nobody is asked'))
  for (const option of ['', ' --yes', ' --dry-run']) {
    const line = `features delete served${option}`.split(' ')
    const refused = await runHere(line, author, { isTerminal: true, now: () => NOW, ask })
    expect([option, refused.code, refused.stderr]).toEqual([option, 4, expect.stringContaining('need approval')])
  }
  expect((await run('flags show served')).code).toBe(0)
})

test('the review and the application of a change request of a project are refused before the question', async () => {
  const ask = () => Promise.reject(new Error('nobody is asked'))
  const refuse = async (line: string, environment: Readonly<Record<string, string>>, code: number, text: string) => {
    for (const option of ['', ' --yes']) {
      const args = `project-change-requests ${line}${option}`.split(' ')
      const refused = await runHere(args, environment, { isTerminal: true, now: () => NOW, ask })
      expect([args, refused.code, refused.stdout]).toEqual([args, code, ''])
      expect(refused.stderr).toContain(text)
    }
  }
  const path = '/v1/projects/shop/settings/protected'
  const body = { path, method: 'PATCH', body: { settings: { featureApprovalWorkflow: { defaultReviewers: [] } } } }
  const inShop = { project: 'shop' }
  const { status, body: made } = await call(server, 'createProjectChangeRequest', { params: inShop, body })
  expect([status, made.message]).toEqual([201, undefined])
  const params = { ...inShop, id: made._id }
  await call(server, 'submitProjectChangeRequest', { params, body: { description: 'Please', reviewers: [] } })

  const review = `review ${made._id} --action approved --comment Fine`
  await refuse(review, author, 4, 'only other users with feature:publish and project:write:settings may approve')
  await refuse(review, viewer, 4, 'requires the permission')

  const apply = `apply ${made._id} --action applied --description Go`
  await refuse(apply, author, 4, 'it has 0 of 1 required approvals and needs 1 more')
  expect((await run(`project-change-requests ${review} --yes`, settingsReviewer)).code).toBe(0)
  await refuse(apply, viewer, 4, 'requires the permission')
  const checked = await run(`project-change-requests ${apply} --dry-run`)
  const readStatus = async () => (await call(server, 'getProjectChangeRequest', { params })).body.status
  expect([checked.code, await readStatus()]).toEqual([0, 'approved'])
  expect((await run(`project-change-requests ${apply} --yes`)).code).toBe(0)
  expect(await readStatus()).toBe('applied')
})

test('an unknown request exits with 5', async () => {
  const { code, stderr } = await run('requests show 65f0c0ffee0123456789000d')
  expect([code, stderr]).toEqual([5, expect.stringContaining('no change request "65f0c0ffee0123456789000d"')])
})

test('shows the names of people, and what a request allows next before a question', async () => {
  const roles = [{ role: 'organization_owner' }, { role: 'project_admin' }]
  const user = { email: 'grace@example.com', name: 'Grace', password: 'made-up-and-shown-once', roles }
  const { body: grace } = await call(server, 'createUser', { body: user })
  const person = { ...author, BURGEE_TOKEN: await personToken(server, grace.user_id) }
  const changed = await run('flags off banner --environment production --yes', person)
  const [, id = ''] = /Submitted change request (\w+)/.exec(changed.stdout) ?? []
  const ask = () => Promise.reject(new Error('nobody is asked'))
  const asked = (line: string, environment: Readonly<Record<string, string>> = person) =>
    runHere(line.split(' '), environment, { isTerminal: true, width: 200, now: () => NOW, ask })

  const hint = `To see it: burgee requests show ${id}\nThen one of:\n  burgee requests approve ${id}\n  burgee requests reject ${id} -m <comment>\n  burgee requests cancel ${id}\n`
  const locked = `feature "banner" is locked by change request ${id}, which is pending`
  for (const line of [
    'flags off banner -e production',
    'features status banner --status archived',
    'variations update variation-on --feature banner --variables {"banner":false}',
    'targeting update banner --environment production --status inactive'
  ]) {
    const refused = await asked(line)
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([6, '', expect.stringContaining(locked)])
    expect(refused.stderr.endsWith(hint)).toBe(true)
  }

  expect(await asked(`requests apply ${id}`)).toMatchObject({
    code: 6,
    stderr: `burgee: change request ${id} is pending, and not approved\nAnother person approves it with burgee requests approve ${id}\n`
  })
  expect(await asked(`requests approve ${id}`)).toMatchObject({
    code: 4,
    stderr: 'burgee: you made this change request, so another person has to approve it\n'
  })
  expect((await run(`requests approve ${id} -m Fine --yes`, reviewer)).code).toBe(0)
  const shown = (await asked(`requests show ${id}`)).stdout
  expect(shown).toMatch(/^by: +Grace, with test-admin$/m)
  expect(shown).toMatch(/^reviews: +approved by reviewer@clients: Fine$/m)
  expect(await asked(`requests approve ${id}`, reviewer)).toMatchObject({
    code: 6,
    stderr: `burgee: change request ${id} is approved, so it cannot be approved\nPossible now: burgee requests apply ${id}, burgee requests cancel ${id}\n`
  })
  // In this narrow terminal, each row is a paragraph.
  expect((await run('requests list')).stdout).toMatch(new RegExp(`^${id}\\n +FLAG +banner\\n +STATUS +approved$`, 'm'))
  expect((await run(`requests cancel ${id} --yes`)).stdout).toBe(`Cancelled ${id} of banner.\n`)
  expect(await asked(`requests apply ${id}`)).toMatchObject({
    code: 6,
    stderr: `burgee: change request ${id} is cancelled, so it cannot be applied\n`
  })
  const needsApproval = await asked('features status banner --status archived')
  expect([needsApproval.code, needsApproval.stderr]).toEqual([4, expect.stringContaining('need approval')])
})
