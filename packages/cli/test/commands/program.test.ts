import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createProgram } from '../../src/program.ts'
import { exitCodeMeanings } from '../../src/run/failures/exitCodes.ts'
import { openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop({ features: [{ key: 'search' }] })
})

describe('burgee api', () => {
  it('sends a request with fields, and prints its response', async () => {
    const updated = await shop.json('api PATCH /v2/projects/{project}/features/search -f name=Found -F tags=["a","b"]')
    expect(updated).toMatchObject({ key: 'search', name: 'Found', tags: ['a', 'b'] })
    expect(await shop.run('api get /v2/projects/shop/features -f search=Found --query [].key -o value')).toEqual({
      code: 0,
      stdout: 'search\n',
      stderr: ''
    })
  })

  it('fetches all pages', async () => {
    for (let index = 0; index < 101; index++) {
      await shop.ask('createAudience', { body: { key: `a${index}`, name: `A ${index}`, filters: EVERYBODY } })
    }
    const path = '/v1/projects/{project}/audiences'
    expect(await shop.json(`api GET ${path}`)).toHaveLength(100)
    expect(await shop.json(`api GET ${path} --paginate`)).toHaveLength(101)
  })

  it.each([
    ['api FETCH /v1/projects', 2, 'the method should be one of GET, POST, PUT, PATCH, DELETE'],
    ['api GET v1/projects', 2, 'the path should start with /'],
    [
      'api GET /v1/projects/shop --paginate',
      2,
      '--paginate needs a list, but /v1/projects/shop does not return one: omit --paginate'
    ],
    ['api GET /v1/projects/other', 5, 'there is no project "other"'],
    ['api PATCH /v1/projects/shop -F name=1', 7, 'name']
  ])('%s ends with %i', async (line, code, message) => {
    expect(await shop.run(line)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
  })
})

const EVERYBODY = { operator: 'and', filters: [{ type: 'all' }] }

describe('every command', () => {
  it('shows requests with --debug, without secrets', async () => {
    const { stderr } = await shop.run(
      'webhooks create --name Log --url https://example.com/secret --events createdFeature --debug'
    )
    const [request, response] = stderr.split('\n')
    expect(request).toBe(
      'burgee: > POST SERVER/v1/projects/shop/webhooks {"name":"Log","url":"****","events":["createdFeature"]}'
    )
    expect(response).toMatch(/^burgee: < 201 \(request .+\) after \d+ ms$/)
    const { stderr: keys } = await shop.run('keys revoke server-abcdefghijklmnopqrstuvwxyz --yes -e production --debug')
    expect(keys).toContain('server-****')
    expect(keys).not.toContain('abcdefghijklmnop')
  })

  it('shows requests for tokens with --debug, without secrets', async () => {
    const { clientSecret } = await shop.ask('createApiClient', { body: { name: 'Job', clientId: 'job' } })
    const job = { BURGEE_TOKEN: '', BURGEE_CLIENT_ID: 'job', BURGEE_CLIENT_SECRET: clientSecret }
    const { stderr } = await shop.run('projects list --debug', undefined, job)
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      'burgee: > POST SERVER/oauth/token grant_type=client_credentials&client_id=job&client_secret=****',
      expect.stringMatching(/^burgee: < 200 /),
      expect.stringMatching(/^burgee: > GET SERVER\/v1\/projects/),
      expect.stringMatching(/^burgee: < /)
    ])
    expect(stderr).not.toContain(clientSecret)
  })

  it('is silent with --quiet, but for failures', async () => {
    expect((await shop.run('features get search --debug --quiet')).stderr).toBe('')
    expect((await shop.run('features get serch --quiet')).stderr).toContain('"serch"')
  })
})

describe('burgee schema', () => {
  it('has the schema of what the command of an operation prints', async () => {
    const schema = JSON.parse((await shop.run('schema audiences list')).stdout)
    expect(schema).toMatchObject({ type: 'array', items: { $ref: '#/$defs/Audience' } })
    expect(JSON.parse((await shop.run('schema project-file')).stdout).title).toBe('A project of Burgee')
    expect(await shop.run('schema audiences lst')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(did you mean audiences list?)')
    })
  })
})

describe('the help of every command', () => {
  const commands = createProgram().commands.filter(({ name, isHidden }) => !isHidden && !name.startsWith('help '))

  it('has an example', () => {
    const lacking = commands.filter(({ details }) => !/^(.* )?Examples?(,.*)?:\n {2}burgee /m.test(details ?? ''))
    expect(lacking.map(({ name }) => name)).toEqual([])
  })

  it('addresses the reader, has no Markdown, and has sentences', () => {
    const texts = commands.flatMap(({ summary, details = '', settings }) => [
      summary,
      details,
      ...Object.values(settings).map(({ help }) => help)
    ])
    expect(texts.filter((text) => /\bthe caller\b|`/i.test(text))).toEqual([])
    const sentences = commands.flatMap(({ summary, settings }) => [
      summary,
      // A sentence can begin with one of the values.
      ...Object.values(settings).flatMap(({ help, choices }) => (choices?.includes(firstWord(help)) ? [] : [help]))
    ])
    expect(sentences.filter((text) => !/^[A-Z@].*\.$/s.test(text))).toEqual([])
  })
})

const firstWord = (text: string) => text.replace(/ .*/s, '')

describe('burgee help', () => {
  it('has topics, which fit into a terminal', async () => {
    for (const topic of ['output', 'exit-codes', 'environment', 'files', 'selectors', 'scripting', 'agents']) {
      const { code, stdout } = await shop.run(`help ${topic}`)
      expect(code).toBe(0)
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    }
    const codes = (await shop.run('help exit-codes')).stdout.match(/^\d.*?(?= {2})/gm)
    expect(codes).toEqual(exitCodeMeanings.map(([code]) => code))
    const guide = readFileSync(new URL('../../../../docs/guides/cli.md', import.meta.url), 'utf8')
    const table = guide.match(/(?<=^\| exit code \| meaning \|\n\| --- \| --- \|\n)(?:\|.*\n)+/m)?.[0]
    expect(table).toBe(exitCodeMeanings.map((row) => `| ${row.join(' | ')} |\n`).join(''))
    expect((await shop.run('help flags list')).stdout).toContain('Usage: burgee flags list')
    expect(await shop.run('help exti-codes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no command or topic 'exti-codes' (did you mean exit-codes?)")
    })
  })
})
