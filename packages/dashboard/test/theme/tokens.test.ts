import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('../../src/theme/tokens.css', import.meta.url), 'utf8')

/** The colours of a rule, by their names. */
function colours(selector: string): ReadonlyMap<string, string> {
  const start = css.indexOf(`${selector} {`)
  const body = css.slice(start, css.indexOf('}', start))
  return new Map([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]))
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const grounds = ['ground', 'paper', 'sunken']
const tones = ['live', 'partly', 'waiting', 'off', 'protected', 'danger']

/** Text, its ground, and the least contrast. */
const pairs: readonly (readonly [string, string, number])[] = [
  ...grounds.flatMap((ground): [string, string, number][] => [
    ['ink', ground, 7],
    ['soft', ground, 4.5],
    ['brand', ground, 4.5],
    ['edge', ground, 3]
  ]),
  ...tones.map((tone): [string, string, number] => [tone, `${tone}-tint`, 4.5]),
  ...['waiting', 'danger', 'brand', 'protected'].map((tone): [string, string, number] => ['ink', `${tone}-tint`, 4.5]),
  ['brand', 'brand-tint', 4.5],
  ['on-brand', 'brand', 4.5],
  ['on-danger', 'danger-button', 4.5],
  ...[1, 2, 3, 4, 5, 6].map((series): [string, string, number] => [`series-${series}`, 'paper', 4.5])
]

describe.each([':root', ':root[data-theme="dark"]'])('%s', (selector) => {
  const tokens = colours(selector)

  test.each(pairs)('%s on %s has a contrast of at least %d', (text, ground, least) => {
    expect(contrast(tokens.get(text) ?? '', tokens.get(ground) ?? '')).toBeGreaterThanOrEqual(least)
  })
})

test('the dark colours by choice are those of dark systems', () => {
  expect(colours(':root[data-theme="dark"]')).toEqual(colours(':root:not([data-theme="light"])'))
})

test('the pages of the sign-in have the same colours', () => {
  const style = new URL('../../../server/src/identity/login/pages/style.ts', import.meta.url)
  const [, light = '', dark = ''] = readFileSync(style, 'utf8').split(/:root \{/)
  for (const [selector, body] of [
    [':root', light],
    [':root[data-theme="dark"]', dark]
  ] as const) {
    const used = [...body.slice(0, body.indexOf('}')).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)]
    expect(used.length).toBeGreaterThan(10)
    for (const [, name = '', value] of used) expect([name, value]).toEqual([name, colours(selector).get(name)])
  }
})
