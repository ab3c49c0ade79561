import type { Context } from 'koa'
import { z } from 'zod'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { DAY, SECOND } from '../../lib/time.ts'
import { paths } from '../oauth/paths.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'
import type { LoginSecrets } from './loginSecrets.ts'

/**
 * Recognizes browsers with which a person has signed in before by password. Failed attempts of such a browser are
 * counted separately, so that nobody else can lock the person out.
 */
export interface DeviceCookie {
  /** Returns the id of the browser, if the person with this e-mail address has signed in with it. */
  readonly find: (ctx: Context, email: string) => Promise<string | undefined>
  /** Remembers that the person has signed in with this browser. */
  readonly remember: (ctx: Context, email: string) => Promise<void>
}

interface Dependencies {
  readonly ids: Pick<IdGenerator, 'bytes'>
  readonly secrets: LoginSecrets
  /** The public URL of the server, known once it listens. */
  readonly publicUrl: () => string
}

/** Creates the cookie. It is encrypted: scripts and other servers cannot read it, and callers cannot forge it. */
export function createDeviceCookie({ secrets, ids, publicUrl }: Dependencies): DeviceCookie {
  const nameOf = () => (isSecure() ? '__Secure-burgee-device' : 'burgee-device')
  const isSecure = () => publicUrl().startsWith('https:')

  const open = async (ctx: Context): Promise<z.infer<typeof Contents> | undefined> => {
    const sealed = ctx.cookies.get(nameOf())
    return sealed === undefined ? undefined : Contents.safeParse(await secrets.open(PURPOSE, sealed)).data
  }

  return {
    find: async (ctx, email) => {
      const contents = await open(ctx)
      return contents?.emails.includes(normalize(email)) ? contents.device : undefined
    },
    remember: async (ctx, email) => {
      const { device = ids.bytes(16).toString('base64url'), emails = [] } = (await open(ctx)) ?? {}
      const latest = [normalize(email), ...emails.filter((one) => one !== normalize(email))].slice(0, MAX_PEOPLE)
      const value = await secrets.seal(PURPOSE, { device, emails: latest }, MAX_AGE_S)
      const path = toPublicPath(publicUrl(), paths.signIn)
      const attributes = `Path=${path}; Max-Age=${MAX_AGE_S}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`
      ctx.append('set-cookie', `${nameOf()}=${value}; ${attributes}`)
    }
  }
}

const PURPOSE = 'device'

/** The longest lifetime of the cookie. It ends earlier when the signing key that encrypted it is deleted. */
const MAX_AGE_S = (180 * DAY) / SECOND

/** The number of people that a shared browser remembers. */
const MAX_PEOPLE = 5

const Contents = z.object({ device: z.string(), emails: z.array(z.string()) })

function normalize(email: string): string {
  return email.trim().toLowerCase()
}
