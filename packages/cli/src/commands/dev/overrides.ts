import { formatColumns } from '../../output/formatColumns.ts'
import { localCommand } from '../../run/localCommand.ts'
import { overridesSettings } from './overridesSettings.ts'

/** `burgee dev set` */
const set = localCommand({
  name: 'dev set',
  summary: 'Serve a value of a variable to all users of burgee dev.',
  arguments: ['<variable>', '<value>'],
  settings: overridesSettings,
  details: 'Example:\n  burgee dev set new-checkout true',
  run: async ({ arguments: [variable = '', text = ''], settings: { overrides: file } }) => {
    const { parseOverrideValue } = await import('../../dev/overrideValue.ts')
    const { writeOverride } = await import('../../dev/overridesFile.ts')
    const value = parseOverrideValue(text)
    await writeOverride(file, variable, value)
    return { data: { file, variable, value }, text: () => `${file}: ${variable} is ${JSON.stringify(value)}` }
  }
})

/** `burgee dev unset` */
const unset = localCommand({
  name: 'dev unset',
  summary: 'Remove the override of a variable.',
  arguments: ['<variable>'],
  settings: overridesSettings,
  details: 'Example:\n  burgee dev unset new-checkout',
  run: async ({ arguments: [variable = ''], settings: { overrides: file } }) => {
    const { readOverrides, writeOverride } = await import('../../dev/overridesFile.ts')
    const { NotFoundError } = await import('../../run/failures/errors.ts')
    const { suggestion } = await import('@burgee/kit/text')
    const { variables = {} } = await readOverrides(file)
    if (!Object.hasOwn(variables, variable)) {
      throw new NotFoundError(`${file} has no override of "${variable}"${suggestion(variable, Object.keys(variables))}`)
    }
    await writeOverride(file, variable, undefined)
    return { data: { file, variable }, text: () => `${file}: ${variable} has no override` }
  }
})

/** `burgee dev list` */
const list = localCommand({
  name: 'dev list',
  summary: 'List the overrides of burgee dev.',
  settings: overridesSettings,
  details: 'Example:\n  burgee dev list',
  run: async ({ settings: { overrides: file } }) => {
    const { readOverrides } = await import('../../dev/overridesFile.ts')
    const { variables = {}, features = {}, users = {} } = await readOverrides(file)
    const data = [
      ...Object.entries(variables).map(([key, value]) => ({ kind: 'variable', key, value })),
      ...Object.entries(features).map(([key, value]) => ({ kind: 'feature', key, value })),
      ...Object.entries(users).flatMap(([user, { features: own = {} }]) =>
        Object.entries(own).map(([key, value]) => ({ kind: 'feature', key, value, user }))
      )
    ]
    const rows = data.map((one) => [
      one.kind,
      one.key,
      JSON.stringify(one.value),
      'user' in one ? String(one.user) : 'all users'
    ])
    return {
      data,
      text: (width) =>
        rows.length === 0
          ? 'There are no overrides.'
          : formatColumns([['KIND', 'KEY', 'VALUE', 'FOR'], ...rows], width, { wrapped: [1, 3] }).join('\n')
    }
  }
})

/** The commands of overrides. */
export const overrideCommands = [set, unset, list]
