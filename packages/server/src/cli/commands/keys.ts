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
    summary: 'Sign access tokens with a new key. Existing tokens stay valid until they expire.',
    settings: {},
    operation: 'rotateSigningKey',
    run: async (_given, context) => {
      const [key] = await rotateSigningKey(context, context.caller)
      if (key) context.print(`access tokens are now signed with ${key.kid}`)
      return 0
    }
  })
]
