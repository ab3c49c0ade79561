import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { installGuide } from '../../src/guides/installGuide.ts'
import { type InstallGuide, installGuideIds, installGuides } from '../../src/guides/installGuides.ts'
import { tools } from '../../src/tools/tools.ts'
import { settings } from '../support/context.ts'

const url = 'https://flags.example.com'
const sections = [
  'Key',
  'Requirements',
  'Install',
  'Initialise',
  'Evaluate',
  'Verify',
  'Variations of this setup',
  'Troubleshooting'
]
const frame = {
  before: ['Project context', 'Limits', 'Where the SDK key goes'],
  after: ['Done when', 'Next steps']
}
const variables = { server: 'BURGEE_SERVER_KEY', client: 'BURGEE_CLIENT_KEY', mobile: 'BURGEE_MOBILE_KEY' }

/** Matches names that look like tools. */
const toolLike =
  /\b(?:list|create|update|delete|get|set|clear|select|install|cleanup|archive)_(?:[a-z]+_)*(?:features?|flags?|variables?|projects?|environments?|overrides?|identity|sdk|evaluations|history|status|targeting)\b/g

function fileOf(id: InstallGuide): string {
  return readFileSync(new URL(`../../guides/install/${id}.md`, import.meta.url), 'utf8')
}

/** Returns the text outside of code blocks. */
function proseOf(text: string): string {
  return text.replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '')
}

function headingsOf(text: string): string[] {
  return [...proseOf(text).matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading)
}

test('there are the 29 guides of the specification', () => {
  expect(installGuideIds).toHaveLength(29)
})

describe.each(installGuideIds)('the guide %s', (id) => {
  test('has its title, and its sections in their order', () => {
    const text = fileOf(id)
    expect(text.split('\n')[0]).toBe(`# ${installGuides[id].title}`)
    expect(headingsOf(text)).toEqual(sections)
  })

  test('names exactly the variables of its types of key', () => {
    const { keys } = installGuides[id]
    const [, key = ''] = /## Key\n([\s\S]*?)\n## /.exec(fileOf(id)) ?? []
    for (const [type, variable] of Object.entries(variables)) {
      const isOne = (keys as readonly string[]).includes(type)
      expect(key.includes(variable), `${variable} in the section Key`).toBe(isOne)
      if (isOne) expect(key).toMatch(new RegExp(`\\b${type}\\b.*key`, 'i'))
    }
  })

  test('is framed, and has no unfilled placeholders and no literal keys', async () => {
    const text = await installGuide(id, { serverUrl: url, settings })
    expect(headingsOf(text)).toEqual([...frame.before, ...sections, ...frame.after])
    expect(text).toContain(url)
    expect(text).not.toMatch(/\{\{\w+\}\}/)
    // Keys of environments: a type and 32 letters or more.
    expect(text).not.toMatch(/\b(?:server|client|mobile|dvc_\w+)[-_][A-Za-z0-9_-]{20,}/)
    expect(text).toContain(installGuides[id].keys.map((type) => `**${type} key**`).join(' and the '))
  })

  test('names only existing tools', () => {
    const known = new Set(tools.map(({ name }) => name))
    const named = proseOf(fileOf(id)).match(toolLike) ?? []
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('is 60 to 170 lines long, and names the language of each code block', () => {
    const text = fileOf(id)
    expect(text.split('\n').length).toBeGreaterThanOrEqual(60)
    expect(text.split('\n').length).toBeLessThanOrEqual(170)
    const fences = text.match(/^ *```.*$/gm) ?? []
    expect(fences.length % 2).toBe(0)
    expect(fences.filter((_, index) => index % 2 === 0).every((fence) => /```\w/.test(fence))).toBe(true)
  })
})

test('the frame and the cleanup guide name only existing tools', () => {
  const known = new Set(tools.map(({ name }) => name))
  for (const file of ['installFrame.md', 'cleanup.md']) {
    const text = readFileSync(new URL(`../../guides/${file}`, import.meta.url), 'utf8')
    const named = text.match(toolLike) ?? []
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  }
})

test('asks the person for SDK keys if they are not shown', async () => {
  const shown = await installGuide('nodejs', { serverUrl: url, settings })
  const hidden = await installGuide('nodejs', { serverUrl: url, settings: { ...settings, sdkKeys: false } })
  expect(shown).toContain('lists the SDK keys of each environment')
  expect(hidden).not.toContain('lists the SDK keys')
  expect(hidden).toContain('does not show SDK keys')
})
