import { parseBoolean } from '@burgee/kit/settings'
import { listSigningKeys, rotateSigningKey } from '../../identity/keys/signingKeys.ts'
import { storeCommand } from '../kinds/storeCommand.ts'

/** `burgee-server keys …` */
export const keyCommands = [
  storeCommand({
    name: 'keys list',
    summary: 'List the keys that sign access tokens; the first one is in use.',
    settings: {},
    run: async (_given, { store, print }) => {
      for (const { kid, createdAt, retiredAt } of await listSigningKeys(store)) {
        print(`${kid}  since ${createdAt}${retiredAt === undefined ? '' : ` until ${retiredAt}, verifies only`}`)
      }
      return 0
    }
  }),
  storeCommand({
    name: 'keys rotate',
    summary: 'Sign access tokens with a new key. Existing tokens stay valid until they expire, unless --now ends them.',
    settings: {
      now: {
        kind: 'switch',
        variable: false,
        help: 'End the previous keys at once, with everything that they signed.',
        parse: parseBoolean
      }
    },
    operation: 'rotateSigningKey',
    run: async ({ settings: { now: endsPrevious } }, context) => {
      const previous = endsPrevious ? await listSigningKeys(context.store) : []
      const [key] = await rotateSigningKey(context, context.caller, { endsPrevious })
      if (key) context.print(`access tokens are now signed with ${key.kid}`)
      for (const { kid } of previous) context.print(`ended ${kid}`)
      if (endsPrevious) context.print(ENDED)
      return 0
    }
  })
]

const ENDED = [
  'all access tokens, event stream tokens and pending sign-ins have ended, and browsers must sign in again;',
  'refresh tokens stay valid, so applications get new access tokens by themselves'
].join('\n')
