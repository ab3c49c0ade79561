import { describeSettings, type Settings } from '@burgee/kit/settings'
import { manifest } from '../../manifest/manifest.ts'
import type { OperationFlag } from '../../manifest/operationCommand.ts'
import type { Failure } from './failure.ts'

/** Returns the failure of an operation, with members of the request replaced by the flags that set them. */
export function nameFlags(failure: Failure, operation: string | undefined, settings: Settings): Failure {
  const flags = flagsOf(operation, settings)
  if (flags.length === 0) return failure
  const { message, issues } = failure
  return {
    ...failure,
    message: withFlags(message, flags),
    ...(issues && { issues: issues.map((issue) => ({ ...issue, message: withFlags(issue.message, flags) })) })
  }
}

interface NamedFlag extends Pick<OperationFlag, 'flag' | 'member'> {
  /** The flag takes no value. */
  readonly isSwitch?: boolean
}

/** Returns the flags of a command that set members of a request. */
function flagsOf(operation: string | undefined, settings: Settings): readonly NamedFlag[] {
  const command = manifest().find(({ row }) => row.id === operation)
  const own = new Map(describeSettings(settings, '').map(({ name, flag }) => [flag, settings[name]]))
  return (command?.flags ?? []).flatMap(({ flag, member, in: part }) => {
    const setting = own.get(flag)
    return part === 'params' || !setting ? [] : [{ flag, member, isSwitch: setting.kind === 'switch' }]
  })
}

/** Replaces the members where a message of the API names them; a word of a sentence stays. */
export function withFlags(text: string, flags: readonly NamedFlag[]): string {
  return flags.reduce((changed, { flag, member, isSwitch }) => {
    const name = member.replaceAll(/[^\w]/g, '\\$&')
    const shown = isSwitch ? flag : `${flag} $1`
    return (
      changed
        // `ignoreCodeUsages: true`
        .replace(new RegExp(`(?<![\\w.-])\`?${name}: ?(true|false|\\d+|"[^"]*")\`?`, 'g'), shown)
        // `settings.staleness.enabled`
        .replace(new RegExp(`(?<![\\w.-])\`?${name}\\.([\\w.]*\\w)\`?`, 'g'), `$1 in ${flag}`)
        // `status should be …` at the start of a sentence, and names that are not words
        .replace(new RegExp(`(?<=^|; |: )${name}(?= (should|is|has|matches|must) )`, 'g'), flag)
        .replace(new RegExp(isWord(member) ? `\`${name}\`` : `(?<![\\w.-])\`?${name}\\b\`?`, 'g'), flag)
    )
  }, text)
}

function isWord(member: string): boolean {
  return /^[a-z]+$/.test(member)
}
