import { apiScopes } from '@burgee/contract'
import { formatValue } from '@burgee/kit/text'
import type { Context } from 'koa'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { findProtectedResource, listProtectedResources, type ProtectedResources } from '../oauth/protectedResources.ts'
import { findUnknownScopes } from '../oauth/scopes.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'

type Feature = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>

/** Issues and signs tokens for resources (RFC 8707). */
interface ResourceIndicators {
  readonly configuration: Feature
  /** Rejects a refresh for a resource that was not granted, before the refresh token is consumed. */
  readonly assertGranted: (ctx: KoaContextWithOIDC) => void
}

/** Creates the resource indicator configuration with this signing key. */
export function createResourceIndicators(
  module: OidcProviderModule,
  resources: ProtectedResources,
  kid: string | undefined
): ResourceIndicators {
  const { InvalidScope, InvalidTarget } = module.errors
  const assertAudience = createAudienceAssertion(module, resources)
  return {
    configuration: {
      enabled: true,
      defaultResource: (ctx, _client, granted) => {
        assertAudience(ctx)
        return granted ? (selectResource(granted, resources) ?? [...granted]) : resources.api
      },
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource) => {
        assertAudience(ctx, resource)
        const [unknown] = findUnknownScopes(scopeOf(ctx))
        if (unknown !== undefined) throw new InvalidScope('this scope is not known', unknown)
        const jwt = { sign: { alg: 'RS256', kid } } as const
        return { scope: apiScopes.join(' '), audience: resource, accessTokenFormat: 'jwt', jwt }
      }
    },
    assertGranted: (ctx) => {
      const { params, entities } = ctx.oidc
      const granted = namesIn(entities.RefreshToken?.resource)
      const requested = namesIn(params?.resource)
      const selected = selectResource(requested.length > 0 ? requested : granted, resources)
      assertAudience(ctx)
      if (selected !== undefined && granted.includes(selected)) return assertAudience(ctx, selected)
      const got = formatValue(requested.length > 1 ? requested : requested[0])
      throw new InvalidTarget(`resource should be ${granted.join(' or ')}, got ${got}`)
    }
  }
}

/** Selects one of several resources: the API if requested, otherwise the request must be unambiguous. */
function selectResource(names: readonly string[], { api }: ProtectedResources): string | undefined {
  if (names.includes(api)) return api
  return names.length === 1 ? names[0] : undefined
}

function namesIn(value: unknown): readonly string[] {
  return [value].flat().filter((name) => typeof name === 'string')
}

/** Rejects unknown resources with a message that lists the known ones. */
function createAudienceAssertion({ errors }: OidcProviderModule, resources: ProtectedResources) {
  return ({ state }: Context, named: string | undefined = state.audience): void => {
    const unknown = state.audience ?? named
    if (unknown === undefined || findProtectedResource(unknown, resources)) return
    const expected = listProtectedResources(resources).join(' or ')
    const rejection = new errors.AccessDenied(`audience should be ${expected}, got ${unknown.slice(0, 200)}`)
    throw Object.assign(rejection, { status: 403, statusCode: 403 })
  }
}

function scopeOf({ oidc }: KoaContextWithOIDC): string {
  const { scope } = oidc.params ?? {}
  return typeof scope === 'string' ? scope : ''
}
