import { parseSettings } from '@burgee/kit/commandLine'
import { describeSettings, pickSettings, UsageError } from '@burgee/kit/settings'
import { OptionError } from '../lib/errors.ts'
import { settings, VARIABLE_PREFIX } from './settings.ts'

type ServerSettings = typeof settings

/** The parsed settings of a server. */
export type Options = {
  readonly [Name in keyof ServerSettings]: Exclude<ReturnType<ServerSettings[Name]['parse']>, undefined>
}

/**
 * Parses the settings of a server. Flags take precedence over environment variables, and these over defaults.
 * @throws {OptionError} on the first invalid setting, and on an unknown flag.
 */
export function parseOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>
): Options {
  try {
    return assertComplete(
      parseSettings(settings, { name: 'burgee-server', prefix: VARIABLE_PREFIX }, args, environment)
    )
  } catch (error) {
    throw error instanceof UsageError ? new OptionError(error.message, { cause: error }) : error
  }
}

/** Asserts that settings that depend on each other are all set. @throws {OptionError} if one is missing. */
export function assertComplete(options: Options): Options {
  assertTogether(options, ['adminClientId', 'adminClientSecret'])
  assertAnchorKey(options)
  assertTogether(options, ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'])
  assertEdge(options)
  return options
}

function assertEdge({ edge, upstream, edgeKeys, workers }: Options): void {
  const [hasUpstream, hasKeys] = [upstream !== '', edgeKeys.length > 0]
  const missing = [...(hasUpstream ? [] : ['BURGEE_UPSTREAM']), ...(hasKeys ? [] : ['BURGEE_EDGE_KEYS'])]
  if (edge && missing.length > 0) throw new OptionError(`--edge needs ${missing.join(' and ')}`)
  if (!edge && (hasUpstream || hasKeys)) throw new OptionError('BURGEE_UPSTREAM and BURGEE_EDGE_KEYS need --edge')
  if (edge && workers > 1) {
    const remedy = 'start several edge nodes, each with its own BURGEE_PORT and BURGEE_CACHE_DIRECTORY'
    throw new OptionError(`--workers ${workers} cannot be combined with --edge: ${remedy}`)
  }
}

function assertAnchorKey({ auditAnchorKey, auditAnchorKeyFile, auditAnchorKeyCommand, auditAnchorUrl }: Options): void {
  const given = [auditAnchorKey, auditAnchorKeyFile, auditAnchorKeyCommand].filter((text) => text !== '').length
  const variables = 'BURGEE_AUDIT_ANCHOR_KEY, BURGEE_AUDIT_ANCHOR_KEY_FILE and BURGEE_AUDIT_ANCHOR_KEY_COMMAND'
  if (given > 1) throw new OptionError(`only one of ${variables} can be set`)
  if (given === 0 && auditAnchorUrl !== '') throw new OptionError(`BURGEE_AUDIT_ANCHOR_URL needs one of ${variables}`)
}

function assertTogether(options: Options, names: readonly (keyof Options)[]): void {
  if (new Set(names.map((name) => options[name] === '')).size === 1) return
  const rows = describeSettings(pickSettings(settings, ...names), VARIABLE_PREFIX)
  const variables = rows.map(({ variable }) => variable)
  throw new OptionError(`${variables.slice(0, -1).join(', ')} and ${variables.at(-1)} must be set together`)
}
