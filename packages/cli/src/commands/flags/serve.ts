import type { TargetInput } from '@burgee/contract/schemas'
import { parseText, UsageError } from '@burgee/kit/settings'
import { roundFraction } from '../../document/percentage.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { confirmationSettings, environmentSettings, projectSettings } from '../../run/settings.ts'
import { changeFlag } from './changeFlag.ts'
import { findVariation } from './findVariation.ts'
import { noticeIfOff } from './flag.ts'
import { getOnlyTarget, getTarget, toInput } from './targets.ts'

/** `burgee serve` */
export const serve = apiCommand({
  name: 'serve',
  summary: 'Choose which variations a target of a flag serves in an environment.',
  arguments: ['<flag>', '<variations>'],
  settings: {
    target: {
      variable: false,
      placeholder: 'name',
      help: 'Name or id of the target, if there are several.',
      parse: parseText
    },
    ...environmentSettings,
    ...projectSettings,
    ...confirmationSettings
  },
  details: [
    'The variations are one key, or shares that add up to 100: on=50,off=50. A flag',
    'without targets gets one for everyone. Turning it on: burgee flags on.',
    '',
    'Example:',
    '  burgee serve new-checkout variation-on=50,variation-off=50 --environment staging'
  ].join('\n'),
  run: ({ arguments: [key = '', variations = ''], settings: { target: name } }, session) => {
    const shares = parseShares(variations)
    return changeFlag(session, key, (flag) => {
      const distribution = shares.map(({ variation, percentage }) => {
        return { _variation: findVariation(flag.feature, variation)._id, percentage }
      })
      const { targets } = flag.configuration
      noticeIfOff(flag, session)
      if (targets.length === 0 && name === '') return { targets: [{ ...everyone, distribution }] }
      const chosen = name === '' ? getOnlyTarget(flag, targets) : getTarget(flag, name)
      return {
        targets: targets.map((target) => (target === chosen ? { ...toInput(target), distribution } : toInput(target)))
      }
    })
  }
})

const everyone = {
  name: 'Everyone',
  audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } }
} satisfies Omit<TargetInput, 'distribution'>

interface Share {
  readonly variation: string
  /** From 0 to 1. */
  readonly percentage: number
}

/** Parses `on` or `on=50,off=50`. @throws {UsageError} unless the shares add up to 100. */
function parseShares(text: string): readonly Share[] {
  if (/^[^=,]+$/.test(text)) return [{ variation: text, percentage: 1 }]
  const shares = text.split(',').map((part) => {
    const [, variation, number] = /^\s*([^=]+)=(\d+(?:\.\d+)?)\s*%?\s*$/.exec(part) ?? []
    if (variation !== undefined && number !== undefined) return { variation, percentage: Number(number) }
    throw new UsageError(
      `"${part}" is not a share of a variation: pass the key of one variation, or shares such as on=50,off=50`
    )
  })
  const sum = roundFraction(shares.reduce((total, { percentage }) => total + percentage, 0))
  if (sum !== 100) throw new UsageError(`the shares add up to ${sum}: they should add up to 100`)
  return shares.map(({ variation, percentage }) => ({ variation, percentage: roundFraction(percentage / 100) }))
}
