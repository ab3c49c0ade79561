import { expect, test } from 'vitest'
import { completeWords } from '../../src/commands/completion/completeWords.ts'
import { createProgram } from '../../src/program.ts'

const commands = createProgram().commands.filter(({ isHidden }) => !isHidden)

const flags = commands.flatMap((command) => {
  return Object.entries(command.settings)
    .filter(([, { kind, flag }]) => kind !== 'switch' && flag !== false)
    .map(([name, setting]) => ({ command, name, setting }))
})

/** Whether a flag accepts a text. */
function accepts({ parse }: (typeof flags)[number]['setting'], text: string): boolean {
  try {
    return parse(text) !== undefined
  } catch {
    return false
  }
}

test('every flag whose help lists the only texts that it accepts declares them as choices', () => {
  const undeclared = flags.filter(({ setting }) => {
    const words = [...new Set(setting.help.match(/[a-z][\w-]+/gi))]
    const isOpen = accepts(setting, 'nosuchtext')
    return setting.choices === undefined && !isOpen && words.filter((word) => accepts(setting, word)).length > 1
  })
  expect(undeclared.map(({ command, name }) => `${command.name} ${name}`)).toEqual([])
})

test('completion offers exactly the choices of every flag that has them', () => {
  const withChoices = flags.filter(({ setting }) => setting.choices !== undefined)
  expect(withChoices.length).toBeGreaterThan(300)
  for (const { command, name, setting } of withChoices) {
    const flag = setting.flag || `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const { words } = completeWords(commands, [...command.name.split(' '), flag, ''])
    expect([command.name, flag, words]).toEqual([command.name, flag, setting.choices])
    for (const choice of setting.choices ?? []) expect(accepts(setting, choice), `${flag} ${choice}`).toBe(true)
  }
})
