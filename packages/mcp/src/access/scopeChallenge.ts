import type { ScopeChallengeHandler } from '@modelcontextprotocol/server'
import type { Tool } from '../tool.ts'

/**
 * Challenges callers whose token lacks scopes that a tool requires (RFC 6750, `insufficient_scope`). The challenge names
 * these scopes and the scopes of the token. The API reports a missing role, since another token would not help.
 */
export function scopeChallenge({ name, permissions }: Pick<Tool, 'name' | 'permissions'>): {
  readonly scopeChallenge: ScopeChallengeHandler
} {
  return {
    scopeChallenge: ({ authInfo }) => {
      const [first, ...others] = permissions.filter((permission) => authInfo?.scopes.includes(permission) === false)
      if (!authInfo || first === undefined) return undefined
      const missing = [first, ...others].join(' ')
      const scopes = [first, ...others, ...authInfo.scopes] as const
      return { scopes, errorDescription: `${name} requires the scope ${missing}` }
    }
  }
}
