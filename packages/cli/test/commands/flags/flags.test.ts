import { call, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, runHere } from '../../support/program.ts'

let server: TestServer
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  server = await serve({
    settings: { edgeDB: { enabled: true } },
    environments: { production: {}, development: {} },
    features: [{ key: 'banner', offIn: ['production'] }]
  })
  environment = {
    BURGEE_URL: server.url,
    BURGEE_TOKEN: await tokenOf(server),
    BURGEE_PROJECT: 'shop',
    BURGEE_CONFIG_DIR: await makeFolder()
  }
  const development = { params: { project: 'shop', key: 'development' }, body: { type: 'development' } }
  await call(server, 'updateEnvironment', development)
})

/** Runs a command at a terminal whose person answers questions. */
async function asPerson(line: string, answer = 'n') {
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return answer
  }
  const ended = await runHere(line.split(' '), environment, { isTerminal: true, ask, now: () => NOW })
  return { ...ended, questions }
}

function asProgram(line: string) {
  return runHere(line.split(' '), environment, { now: () => NOW })
}

/** Sets a personal override. */
async function setOverride(feature: string) {
  await call(server, 'updateUserProfile', { params: { project: 'shop' }, body: { svcUserId: 'ada' } })
  const body = { environment: 'development', variation: 'variation-on' }
  const { status, body: result } = await call(server, 'updateFeatureOverride', {
    params: { project: 'shop', feature },
    body
  })
  expect(status, JSON.stringify(result)).toBeLessThan(300)
}

describe('burgee flags', () => {
  it('lists a table for people, with the status in each environment', async () => {
    const { code, stdout, stderr } = await asPerson('flags list')
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'KEY     NAME        DEVELOPMENT       PRODUCTION\nbanner  The banner  on: variation-on  off\n',
      stderr: ''
    })
  })

  it('lists JSON for programs, as the API returns it', async () => {
    const { code, stdout } = await asProgram('flags list')
    const { body } = await call(server, 'listFeatureSummaries', { params: { project: 'shop' } })
    expect([code, JSON.parse(stdout)]).toEqual([0, body])
  })

  it('creates a flag and names the next command', async () => {
    expect((await asPerson('flags create new-search --name Search')).stdout).toBe(
      'Created new-search. Turn it on with burgee flags on new-search --environment development --serve variation-on\n'
    )
  })

  it('names the project in the next command, where it was given', async () => {
    const { stdout } = await runHere(
      ['flags', 'create', 'given', '--project', 'shop'],
      { ...environment, BURGEE_PROJECT: '' },
      { isTerminal: true }
    )
    expect(stdout).toContain('burgee flags on given --environment development --serve variation-on --project shop\n')
  })

  it('turns a flag on for everyone without a question where nothing is protected', async () => {
    const { code, stdout, questions } = await asPerson('flags on new-search -e development --serve variation-on')
    expect({ code, stdout, questions }).toEqual({
      code: 0,
      stdout: 'new-search in development:\n  Turned on.\n  Added target 1, Everyone. Everyone gets “Variation On”.\n',
      questions: []
    })
  })

  it('shows what it serves', async () => {
    expect((await asPerson('flags show new-search')).stdout).toBe(
      [
        'Search (new-search): release, active',
        '',
        'VARIATION      new-search',
        'variation-on   true',
        'variation-off  false',
        '',
        'development:',
        '  Everyone gets “Variation On”.',
        '',
        'production:',
        '  Off: applications use their default values.',
        ''
      ].join('\n')
    )
  })

  it('shows the change of a protected environment and asks', async () => {
    const line = 'rollout new-search --to 20 --where country=CA -e production'
    const refused = await asPerson(line)
    expect([refused.code, refused.questions]).toEqual([11, ['Change new-search in production? (y/N) ']])
    expect(refused.stderr).toBe(
      'new-search in production:\n  Turned on.\n  Added target 1, “country CA”. Of users where country is Canada (CA), 20% are included now; they get “Variation On”; everyone else gets the default values.\nburgee: nothing was changed: not confirmed\n'
    )
    expect(JSON.parse((await asProgram('targeting get new-search --environment production')).stdout)).toEqual([
      expect.objectContaining({ status: 'inactive', targets: [] })
    ])
    const done = await asPerson(line, 'y')
    expect([done.code, done.stdout]).toEqual([0, 'Changed new-search in production.\n'])
  })

  it('changes the rollout of the target with the same condition, and keeps its id', async () => {
    const before = JSON.parse((await asProgram('targeting get new-search --environment production')).stdout)
    const { code, stdout } = await asProgram('rollout new-search --to 40% --where country=CA -e production --yes')
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        feature: 'new-search',
        environment: 'production',
        outcome: 'applied',
        changes: [expect.stringContaining('40%')]
      }
    ])
    const after = JSON.parse((await asProgram('targeting get new-search --environment production')).stdout)
    expect(after[0].targets).toHaveLength(1)
    expect(after[0].targets[0]).toMatchObject({ _id: before[0].targets[0]._id, rollout: { startPercentage: 0.4 } })
  })

  it('serves shares of several variations, and refuses shares that add up to something else', async () => {
    const line = 'serve new-search variation-on=60,variation-off=40 -e development'
    expect((await asPerson(line)).stdout).toMatch(
      /^new-search in development:\n {2}Changed target .*Everyone.* After: .*60%.*40%/
    )
    expect(JSON.parse((await asProgram(line)).stdout)).toMatchObject({ outcome: 'unchanged' })
    expect(await asPerson('serve new-search variation-on=60,variation-off=30 -e development')).toMatchObject({
      code: 2,
      stderr: 'burgee: the shares add up to 90: they should add up to 100\n'
    })
    expect((await asPerson('serve new-search variation-on -e development')).code).toBe(0)
  })

  it('lists the history, and undoes the newest change of a protected environment after a confirmation', async () => {
    const params = { project: 'shop', feature: 'new-search' }
    const statusOf = async () => {
      const { body } = await call(server, 'listFeatureConfigurations', { params, query: { environment: 'production' } })
      return body[0].status
    }
    await asProgram('flags off new-search -e production --yes')
    const entries: { _id: string; changes: unknown }[] = JSON.parse((await asProgram('history new-search')).stdout)
    const [newest] = entries
    const { stdout } = await asPerson('history new-search -n 1')
    expect(stdout).toMatch(new RegExp(`^ENTRY .*\\n${newest?._id} .*disabled environment +production`))
    const shown = await asPerson(`history new-search ${newest?._id}`)
    expect(shown.stdout).toMatch(/\n {2}new-search in production:\n {4}Turned off\.\n$/)

    const refused = await asPerson('undo new-search')
    expect([refused.code, refused.questions]).toEqual([11, ['Undo 1 change of new-search? (y/N) ']])
    expect(refused.stderr).toContain(newest?._id)
    expect(refused.stderr).toMatch(
      /\nnew-search in production:\n {2}Before: Off: applications use their default values\.\n {2}After: Of users where country is Canada \(CA\), 40% .*\n/
    )
    expect(await statusOf()).toBe('inactive')
    expect((await asPerson('undo new-search', 'y')).stdout).toBe(
      'Undid 1 change of new-search. To redo: burgee undo new-search\n'
    )
    expect(await statusOf()).toBe('active')
    expect((await asPerson('undo new-search --to 65f0c0ffee0123456789000d', 'y')).code).toBe(5)
  })

  it('describes other members of an entry in words', async () => {
    await call(server, 'createFeature', { params: { project: 'shop' }, body: { key: 'worded', name: 'Before' } })
    await asProgram('features update worded --name After --tags a --tags b')
    const [entry] = JSON.parse((await asProgram('history worded')).stdout)
    const { stdout } = await asPerson(`history worded ${entry._id}`)
    expect(stdout).toMatch(/\n {2}modified feature\n {4}name: Before → After\n {4}tags: none → a, b\n$/)
  })

  it('undoes the newest change of the flag itself, after which an override was set', async () => {
    await call(server, 'createFeature', { params: { project: 'shop' }, body: { key: 'own', name: 'Own' } })
    expect((await asPerson('undo own', 'y')).stderr).toMatch(
      /is the creation of flag own, which cannot be undone\nTo delete the flag: burgee features delete own\n$/
    )
    await asProgram('rollout own --to 100 -e production --yes')
    await setOverride('own')
    const [newest] = JSON.parse((await asProgram('history own')).stdout)
    expect(newest.changes[0].type).toBe('createdOverride')
    expect((await asPerson(`undo own --to ${newest._id}`, 'y')).stderr).toMatch(
      /entry \w+ did not change flag own itself but, for example, an override\nburgee history own lists the changes\./
    )
    const done = await asPerson('undo own', 'y')
    expect([done.code, done.questions]).toEqual([0, ['Undo 1 change of own? (y/N) ']])
    expect(done.stderr).toMatch(/Before: Everyone gets “Variation On”\.\n {2}After: Off: /)
  })

  it('says that the share of a rising rollout stays', async () => {
    await asProgram('rollout own --to 40 --over 7d --from 20 -e production --yes')
    const { stderr } = await asPerson('rollout own --to 20 --over 9d -e production')
    expect(stderr).toContain(
      'the target includes 20% already, so its share stays: to start with another share, pass --from'
    )
    expect(stderr).toMatch(/Before: .*20% are included now, rising to 40% by .* After: .*20% are included now;/)
  })

  it('turns a flag on with its targets where both are promoted', async () => {
    await call(server, 'createFeature', { params: { project: 'shop' }, body: { key: 'moved', name: 'Moved' } })
    await asProgram('rollout moved --to 100 -e development')
    const line = 'promote moved --from development --to production --include'
    expect((await asPerson(`${line} status`, 'y')).stderr).toContain('to copy both, pass --include targets,status')
    expect((await asPerson(`${line} targets,status`, 'y')).code).toBe(0)
    expect((await asPerson(`${line} target`, 'y')).stderr).toMatch(/--include cannot be "target"/)
  })

  it('says which of the credentials in the environment is missing', async () => {
    const alone = { ...environment, BURGEE_TOKEN: '', BURGEE_CLIENT_ID: 'bot' }
    const { code, stderr } = await runHere(['flags', 'list'], alone, { isTerminal: true })
    expect([code, stderr]).toEqual([2, 'burgee: BURGEE_CLIENT_SECRET is missing: BURGEE_CLIENT_ID needs it\n'])
  })

  it('names the file of a secret that cannot be read', async () => {
    const { code, stderr } = await asPerson('integrations observability set --access-token @missing.txt')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/missing\.txt cannot be read: ENOENT/)])
  })

  it('shows the values that undoing a change of a variation restores', async () => {
    await asProgram('variations update variation-on --feature own --variables {"own":false} --yes')
    const { stderr } = await asPerson('undo own')
    expect(stderr).toContain('  Variation On (variation-on), own: false → true\n')
  })

  it('says what it undid where nothing is protected', async () => {
    await asProgram('serve own variation-off -e development')
    const { code, stdout } = await asPerson('undo own')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ENTRY .*\n.* development .*\nUndid 1 change of own\./)])
  })

  it('names the account and the refused credentials of BURGEE_TOKEN', async () => {
    expect((await asPerson('whoami')).stdout).toMatch(/^id: +test-admin@clients\nname: +Administrator$/m)
    const wrong = await runHere(['flags', 'list'], { ...environment, BURGEE_TOKEN: 'wrong' }, { isTerminal: true })
    expect([wrong.code, wrong.stderr.split('\n')[1]]).toEqual([
      3,
      'Check BURGEE_TOKEN, which takes precedence over a sign-in. Without it, burgee login signs you in.'
    ])
  })

  it('says that nothing changes', async () => {
    expect(JSON.parse((await asProgram('flags off banner -e production')).stdout)).toMatchObject({
      outcome: 'unchanged'
    })
  })

  it('needs a confirmation from programs, and changes nothing without', async () => {
    const { code, stdout, stderr } = await asProgram('flags kill new-search')
    expect([code, stdout, JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')]).toEqual([
      11,
      '',
      {
        error: {
          code: 'NOT_CONFIRMED',
          exit: 11,
          message:
            'nothing was changed: "Turn new-search off in all environments of shop?" needs a confirmation; repeat the command with --yes'
        }
      }
    ])
  })

  it('kills a flag in all environments', async () => {
    expect((await asPerson('flags kill new-search', 'y')).stdout).toBe(
      'Killed new-search: it is off in all environments of shop.\n'
    )
    expect((await asPerson('flags list')).stdout).toMatch(/new-search {2}Search +killed +killed/)
  })

  it.each([
    ['-o yaml', '- key: banner\n  name: The banner\n'],
    ['-o tsv', 'key\tname\nbanner\tThe banner\n'],
    ['-o tsv --no-header', 'banner\tThe banner\n'],
    ['-o table', 'KEY     NAME\nbanner  The banner\n'],
    ['--json', '[\n  {\n    "key": "banner",\n    "name": "The banner"\n  }\n]\n']
  ])('prints some members with --columns key,name %s', async (format, expected) => {
    const { code, stdout } = await asProgram(`features list --search banner --columns key,name ${format}`)
    expect([code, stdout]).toEqual([0, expected])
  })

  it.each([
    ['[0].key -o value', 0, 'banner\n'],
    ['[].key -o jsonl', 0, '"banner"\n'],
    ['[-1].name', 0, '"The banner"\n'],
    ['[0].nothing', 0, 'null\n'],
    ['[0] -o value', 2, ''],
    ['[0', 2, '']
  ])('prints a part of the result with --query %s', async (query, expected, output) => {
    const { code, stdout } = await asProgram(`features list --search banner --query ${query}`)
    expect([code, stdout]).toEqual([expected, output])
  })

  it.each([
    ['flags show new-serch', 5, /there is no feature "new-serch" in project "shop"; did you mean "new-search"\?/],
    [
      'flags on banner -e prodction',
      2,
      /no environment "prodction" \(did you mean production\?\): it has development, production/
    ],
    ['flags on banner -e production --serve on', 2, /banner has targets in production already/],
    ['flags create banner', 6, /The flag exists: burgee flags show banner shows it\./],
    ['open bannr', 5, /there is no feature "bannr" in project "shop"; did you mean "banner"\?/],
    ['promote banner --from development --to nowhere', 2, /no environment "nowhere": it has development, production/],
    ['kill banner', 2, /unknown command 'kill' \(did you mean flags kill or features kill\?\)\. See burgee --help/],
    ['rollout banner -e production', 2, /rollout needs --to, the share of users from 0 to 100/],
    ['rollout banner --to 120 -e production', 2, /--to cannot be "120"\. Share of the users who match, 0 to 100\.$/m],
    ['flags lst', 2, /unknown command 'lst' \(did you mean list\?\)\. See burgee flags --help/],
    ['flags off banner', 2, /the environment is missing: pass --environment <key>, set BURGEE_ENVIRONMENT/]
  ])('burgee %s exits with %i', async (line, expected, message) => {
    const { code, stdout, stderr } = await asPerson(line)
    expect([code, stdout, stderr]).toEqual([expected, '', expect.stringMatching(message)])
  })
})

describe('burgee cleanup', () => {
  it('rejects a value whose type differs from that of the variable', async () => {
    const line = `cleanup banner ${environment.BURGEE_CONFIG_DIR} --value`
    expect((await asPerson(`${line} "x"`)).stderr).toBe('burgee: variable banner is a Boolean, and "x" is not\n')
    expect((await asPerson(`${line} true`)).stderr).toBe('')
  })

  it('refuses to choose a value while not all users of production get the same variation', async () => {
    const { code, stderr } = await asProgram('cleanup banner')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        'feature banner has no variation that all users of production get: the feature is off: users get the defaults in the code. Pass --variation or --value'
      )
    })
  })
})
