import type { ScopeChallengeHandler } from '@modelcontextprotocol/server'
import type { Tool } from '../tool.ts'

/**
 * What a caller is sent for whose token leaves out what a tool needs: all of that, and what the token has. Whoever has the
 * scope and not the role is told by the API instead, as no other token would help them.
 */
export function challengeOf({ name, permissions }: Pick<Tool, 'name' | 'permissions'>): {
  readonly scopeChallenge: ScopeChallengeHandler
} {
  return {
    scopeChallenge: ({ authInfo }) => {
      const [first, ...others] = permissions.filter((permission) => authInfo?.scopes.includes(permission) === false)
      if (!authInfo || first === undefined) return undefined
      const lacking = [first, ...others].join(' ')
      const scopes = [first, ...others, ...authInfo.scopes] as const
      return { scopes, errorDescription: `${name} needs the scope ${lacking}` }
    }
  }
}
