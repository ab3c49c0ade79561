import { issueIn } from '../../api/issues.ts'
import { browserTimeZone } from '../../preferences/preferences.ts'
import { TextAreaField, TextField } from '../Field.tsx'
import type { TypedRestrictions } from './restrictions.ts'
import type { KeyType } from './sdkKeys.ts'

interface Props {
  readonly type: KeyType
  readonly value: TypedRestrictions
  readonly onChange: (value: TypedRestrictions) => void
  readonly error: Error | null
}

/** The expiry of a key, and its allowed networks or origins, depending on its type. */
export function RestrictionFields({ type, value, onChange, error }: Props) {
  return (
    <>
      <TextField
        label="Expires"
        type="datetime-local"
        value={value.expiry}
        onChange={(expiry) => onChange({ ...value, expiry })}
        hint={`In the time zone ${browserTimeZone()}. Leave empty for no expiry.`}
        error={issueIn(error, 'expiresAt')}
      />
      {type === 'server' && (
        <TextAreaField
          label="Allowed networks"
          isCode
          value={value.networks}
          onChange={(networks) => onChange({ ...value, networks })}
          placeholder={'192.0.2.0/24'}
          hint="One address or network per line. Leave empty to allow all networks."
          error={issueIn(error, 'allowedNetworks')}
        />
      )}
      {type === 'client' && (
        <TextAreaField
          label="Allowed origins"
          isCode
          value={value.origins}
          onChange={(origins) => onChange({ ...value, origins })}
          placeholder={'https://shop.example.com'}
          hint="One per line, with scheme and host. Prevents other sites from using the key; programs can send any origin. Leave empty to allow all origins."
          error={issueIn(error, 'allowedOrigins')}
        />
      )}
    </>
  )
}
