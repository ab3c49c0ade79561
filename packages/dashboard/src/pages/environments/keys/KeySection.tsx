import type { Environment, SdkKey } from '@burgee/contract/schemas'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../components/Badge.tsx'
import { Button } from '../../../components/Button.tsx'
import { MaskedKey } from '../../../components/keys/MaskedKey.tsx'
import { isExpired, type KeyType, keyEnd } from '../../../components/keys/sdkKeys.ts'
import { Section } from '../../../components/Page.tsx'
import { Table } from '../../../components/Table.tsx'
import { Day, formatMoment, Time } from '../../../components/Time.tsx'
import { useReadonlyReason } from '../useReadonlyReason.ts'
import styles from './Keys.module.css'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { RestrictKeyDialog } from './RestrictKeyDialog.tsx'
import { RevokeKeyDialog } from './RevokeKeyDialog.tsx'

const purposes: Readonly<Record<KeyType, string>> = {
  server: 'For your own servers. SDKs download all rules and evaluate locally, so keep these keys secret.',
  client: 'For web pages, where visitors can read them. They return only what one user is served.',
  mobile: 'For mobile apps, where users can read them. They return only what one user is served.'
}

interface Props {
  readonly environment: Environment
  readonly type: KeyType
  readonly keys: readonly SdkKey[]
}

/** The keys of one type: show, copy, restrict, replace. */
export function KeySection({ environment, type, keys }: Props) {
  const reason = useReadonlyReason(environment)
  const [open, setOpen] = useState<'new' | { readonly act: 'restrict' | 'revoke'; readonly key: SdkKey }>()
  const close = () => setOpen(undefined)
  const title = `${type[0]?.toUpperCase()}${type.slice(1)} keys`
  return (
    <Section
      title={title}
      actions={
        <Button icon={<Plus size={16} aria-hidden="true" />} onClick={() => setOpen('new')} reason={reason}>
          {`New ${type} key`}
        </Button>
      }
    >
      <p className={styles.purpose}>
        {type !== 'server' && <Badge tone="off">public</Badge>}
        {purposes[type]}
      </p>
      <Table
        label={title}
        rows={keys}
        rowKey={({ key }) => key}
        columns={[
          {
            id: 'key',
            title: 'Key',
            cell: ({ key }) => (
              <span className={styles.value}>
                <MaskedKey value={key} />
              </span>
            )
          },
          {
            id: 'made',
            title: 'Created',
            cell: ({ createdAt }) => (
              <span className={styles.made}>
                <Time value={createdAt} />
              </span>
            )
          },
          {
            id: 'used',
            title: 'Last used',
            cell: ({ lastUsedAt }) => (
              <span className={styles.made}>{lastUsedAt ? <Day value={lastUsedAt} /> : 'never'}</span>
            )
          },
          { id: 'restrictions', title: 'Restrictions', cell: (key) => <Restrictions sdkKey={key} /> },
          {
            id: 'actions',
            title: <span className="visually-hidden">Actions</span>,
            align: 'end',
            cell: (key) => (
              <KeyActions
                sdkKey={key}
                reason={reason}
                lastReason={keys.length === 1 ? `this is the last ${type} key: create a new one first` : undefined}
                onOpen={(act) => setOpen({ act, key })}
              />
            )
          }
        ]}
      />
      {(type === 'server' || keys.length > 1) && <Rotation keys={keys} />}
      {open === 'new' && <NewKeyDialog environment={environment} type={type} onClose={close} />}
      {open !== 'new' && open?.act === 'restrict' && (
        <RestrictKeyDialog environment={environment} type={type} sdkKey={open.key} onClose={close} />
      )}
      {open !== 'new' && open?.act === 'revoke' && (
        <RevokeKeyDialog environment={environment} type={type} sdkKey={open.key} onClose={close} />
      )}
    </Section>
  )
}

interface ActionsProps {
  readonly sdkKey: SdkKey
  /** Why the person cannot change keys. */
  readonly reason: string | undefined
  /** Why the key cannot be revoked although the person may. */
  readonly lastReason: string | undefined
  readonly onOpen: (act: 'restrict' | 'revoke') => void
}

function KeyActions({ sdkKey, reason, lastReason, onOpen }: ActionsProps) {
  const end = keyEnd(sdkKey.key)
  return (
    <span className={styles.actions}>
      <Button
        kind="quiet"
        aria-label={`Restrictions of the key ending in ${end}`}
        onClick={() => onOpen('restrict')}
        reason={reason}
      >
        Restrictions…
      </Button>
      <Button
        aria-label={`Revoke the key ending in ${end}`}
        onClick={() => onOpen('revoke')}
        reason={reason ?? lastReason}
      >
        Revoke…
      </Button>
    </span>
  )
}

/** How a key is replaced without a gap; the step that comes next is marked. */
function Rotation({ keys }: { readonly keys: readonly SdkKey[] }) {
  const isUnderWay = keys.length > 1
  const newest = keys.at(-1)
  return (
    <div className={styles.rotation}>
      <span>To replace a key without a gap:</span>
      <ol>
        <li aria-current={isUnderWay ? undefined : 'step'}>create a new key</li>
        <li aria-current={isUnderWay ? 'step' : undefined}>
          configure your applications with it
          {isUnderWay && newest && (
            <>
              : <code>…{keyEnd(newest.key)}</code> is the newest
            </>
          )}
        </li>
        <li>revoke the old one</li>
      </ol>
    </div>
  )
}

function Restrictions({ sdkKey }: { readonly sdkKey: SdkKey }) {
  const { expiresAt, allowedNetworks, allowedOrigins, compromised, compromised_url } = sdkKey
  const accepted = allowedNetworks ?? allowedOrigins
  return (
    <span className={styles.restrictions}>
      {compromised && (
        <Badge tone="danger">
          leaked publicly{/^https?:/.test(compromised_url) && <a href={compromised_url}>where</a>}
        </Badge>
      )}
      {expiresAt !== undefined &&
        (isExpired(sdkKey, Date.now()) ? (
          <Badge tone="danger">expired {formatMoment(expiresAt)}</Badge>
        ) : (
          <Badge tone="waiting">expires {formatMoment(expiresAt)}</Badge>
        ))}
      {accepted && <span title={accepted.join('\n')}>{`only from ${accepted[0]}${more(accepted.length)}`}</span>}
      {!expiresAt && !accepted && !compromised && <span className={styles.soft}>none</span>}
    </span>
  )
}

function more(count: number): string {
  return count === 1 ? '' : ` and ${count - 1} more`
}
