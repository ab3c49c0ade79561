import { isProtected } from '@burgee/contract/words'
import { Braces, Copy } from 'lucide-react'
import { useState } from 'react'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { Protected } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Switch } from '../../components/forms/Switch.tsx'
import { Menu, MenuItem } from '../../components/Menu.tsx'
import { notify } from '../../components/Toasts.ts'
import styles from './Targeting.module.css'
import { TargetsJsonDialog } from './TargetsJsonDialog.tsx'
import type { Targeting } from './useTargeting.ts'
import type { TargetingDraft } from './useTargetingDraft.ts'

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
  readonly reason: string | undefined
}

/** On or off, and what concerns all targets. */
export function Toolbar({ targeting, draft, reason, note }: Props & { readonly note: string | undefined }) {
  const { environment } = targeting
  const [isJsonOpen, setJsonOpen] = useState(false)
  return (
    <div className={styles.toolbar}>
      <div className={styles.status}>
        <Switch
          label={`The feature in ${environment.name}`}
          isOn={draft.value.status === 'active'}
          onChange={(isOn) => draft.dispatch({ type: 'setStatus', status: isOn ? 'active' : 'inactive' })}
          reason={reason}
          words={[`on in ${environment.name}`, `off in ${environment.name}`]}
        />
        {isProtected(environment) && <Protected />}
        {note && <span className={styles.quiet}>{note}</span>}
      </div>
      <div className={styles.tools}>
        <CopyFrom targeting={targeting} draft={draft} reason={reason} />
        <Button kind="quiet" icon={<Braces size={16} aria-hidden="true" />} onClick={() => setJsonOpen(true)}>
          JSON
        </Button>
      </div>
      {isJsonOpen && (
        <TargetsJsonDialog targeting={targeting} draft={draft} reason={reason} onClose={() => setJsonOpen(false)} />
      )}
    </div>
  )
}

/** Takes the targets of another environment into the draft. */
function CopyFrom({ targeting: { project, feature, environment }, draft, reason }: Props) {
  const environments = useEnvironments(project.key).data ?? []
  const others = environments.filter(({ _id }) => _id !== environment._id)
  if (others.length === 0) return null
  return (
    <Menu
      align="end"
      trigger={
        <Button kind="quiet" isFlush icon={<Copy size={16} aria-hidden="true" />} reason={reason}>
          Copy from
        </Button>
      }
    >
      {others.map(({ _id, name }) => {
        const targets = feature.configurations.find(({ _environment }) => _environment === _id)?.targets ?? []
        const action = { type: 'copyTargets', targets } as const
        return (
          <MenuItem
            key={_id}
            reason={targets.length === 0 ? 'it has no targets' : draft.refusalOf(action)}
            onSelect={() => {
              draft.dispatch(action)
              notify({ text: `The draft has the targets of ${name}. Nothing is saved yet.`, onUndo: draft.undo })
            }}
          >
            {name}: {targets.length === 1 ? '1 target' : `${targets.length} targets`}
          </MenuItem>
        )
      })}
    </Menu>
  )
}
