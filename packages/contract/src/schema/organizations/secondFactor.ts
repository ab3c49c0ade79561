import { z } from 'zod'
import { DateTime, Id, NameInput } from '../common/fields.ts'
import { createdAt, ids } from '../examples/shop.ts'

/** A second factor of a person: an authenticator app (TOTP, RFC 6238), or a passkey (WebAuthn). */
export const SecondFactor = z
  .object({
    _id: Id,
    type: z.enum(['authenticatorApp', 'passkey']),
    name: z.string(),
    createdAt: DateTime,
    lastUsedAt: DateTime.exactOptional()
  })
  .meta({
    id: 'SecondFactor',
    example: { _id: ids.user, type: 'authenticatorApp', name: 'Phone', createdAt }
  })
export type SecondFactor = z.infer<typeof SecondFactor>

/** The second factors of the caller. */
export const SecondFactors = z
  .object({
    factors: z.array(SecondFactor),
    unusedRecoveryCodes: z.int().meta({ description: 'The number of unused recovery codes.' }),
    isRequired: z.boolean().meta({ description: 'Whether the organization requires a second factor.' })
  })
  .meta({
    id: 'SecondFactors',
    example: {
      factors: [{ _id: ids.user, type: 'authenticatorApp', name: 'Phone', createdAt }],
      unusedRecoveryCodes: 10,
      isRequired: false
    }
  })
export type SecondFactors = z.infer<typeof SecondFactors>

/** The key for an authenticator app. */
export const AuthenticatorAppSecret = z
  .object({
    secret: z.string().meta({ description: 'The key in Base32.' }),
    uri: z.string().meta({ description: 'The key as an `otpauth` URI, for a QR code.' })
  })
  .meta({
    id: 'AuthenticatorAppSecret',
    example: { secret: 'MADEUPANDSHOWNONCE', uri: 'otpauth://totp/Burgee:ada%40example.com?secret=MADEUPANDSHOWNONCE' }
  })
export type AuthenticatorAppSecret = z.infer<typeof AuthenticatorAppSecret>

/** The body that activates an authenticator app. */
export const ConfirmAuthenticatorApp = z
  .strictObject({
    code: z.string().max(100).meta({ description: 'The current code of the app, six digits.' }),
    name: NameInput.exactOptional().meta({ description: 'The display name. Default: Authenticator app.' })
  })
  .meta({ id: 'ConfirmAuthenticatorApp', example: { code: '123456', name: 'Phone' } })

const RecoveryCodeList = z
  .array(z.string())
  .meta({ description: 'Recovery codes, each for one use. Cannot be read again.' })

/** New recovery codes. */
export const RecoveryCodes = z
  .object({ recoveryCodes: RecoveryCodeList })
  .meta({ id: 'RecoveryCodes', example: { recoveryCodes: ['made-up-and-shown-once'] } })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** A new second factor, with recovery codes if it is the first one. */
export const AddedSecondFactor = SecondFactor.extend({
  recoveryCodes: RecoveryCodeList.exactOptional()
}).meta({
  id: 'AddedSecondFactor',
  example: {
    _id: ids.user,
    type: 'authenticatorApp',
    name: 'Phone',
    createdAt,
    recoveryCodes: ['made-up-and-shown-once']
  }
})
export type AddedSecondFactor = z.infer<typeof AddedSecondFactor>

/** The options for `navigator.credentials.create`, as `PublicKeyCredential.parseCreationOptionsFromJSON` takes them. */
export const PasskeyOptions = z
  .looseObject({ challenge: z.string() })
  .meta({ id: 'PasskeyOptions', example: { challenge: 'made-up-and-used-once' } })
export type PasskeyOptions = z.infer<typeof PasskeyOptions>

const Base64Url = z.string().max(20_000)

/** The body that adds a passkey: what `PublicKeyCredential.toJSON` returns, and a name. */
export const AddPasskey = z
  .strictObject({
    name: NameInput.exactOptional().meta({ description: 'The display name. Default: Passkey.' }),
    credential: z
      .looseObject({
        id: Base64Url,
        rawId: Base64Url,
        type: z.literal('public-key'),
        response: z.looseObject({ clientDataJSON: Base64Url, attestationObject: Base64Url }),
        clientExtensionResults: z.looseObject({})
      })
      .meta({ description: 'The new credential, as `PublicKeyCredential.toJSON` returns it.' })
  })
  .meta({
    id: 'AddPasskey',
    example: {
      name: 'Laptop',
      credential: {
        id: 'aWQ',
        rawId: 'aWQ',
        type: 'public-key',
        response: { clientDataJSON: 'e30', attestationObject: 'oA' },
        clientExtensionResults: {}
      }
    }
  })
export type AddPasskey = z.infer<typeof AddPasskey>
