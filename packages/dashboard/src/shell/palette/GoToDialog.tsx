import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useFeatureRows } from '../../api/featureRows.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { TextField } from '../../components/Field.tsx'
import { navigation } from '../navigation.ts'
import { findPlaces, type Place } from './findPlaces.ts'
import styles from './GoToDialog.module.css'

interface Props {
  readonly org: string
  readonly project: string
  /** Returns once what was typed before the field existed. */
  readonly takeTyped: () => string
  readonly onClose: () => void
}

const pages = [...navigation, { title: 'New feature', to: '/o/$org/p/$project/features/new' }] as const

/** Opens a page of the project or a feature by its name. */
export function GoToDialog(props: Props) {
  return (
    <Dialog isOpen onClose={props.onClose} title="Go to">
      <Places {...props} />
    </Dialog>
  )
}

function Places({ org, project, takeTyped, onClose }: Props) {
  const id = useId()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  // The field has the focus by now: from here on it takes the keys itself.
  useEffect(() => {
    const typed = takeTyped()
    if (typed) setQuery((text) => text + typed)
  }, [takeTyped])
  const places = findPlaces(query, pages, useFeatureRows(project).data ?? [])
  const open = ({ feature, to }: Place) => {
    onClose()
    if (to) void navigate({ to, params: { org, project } })
    if (feature) {
      void navigate({ to: '/o/$org/p/$project/features/$feature/overview', params: { org, project, feature } })
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const place = places[active]
    if (step !== undefined) setActive(Math.max(0, Math.min(active + step, places.length - 1)))
    else if (event.key === 'Enter' && place) open(place)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.body}>
      <TextField
        label="Page or feature"
        type="search"
        role="combobox"
        aria-expanded={places.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={places.length > 0 ? `${id}-${active}` : undefined}
        autoFocus
        value={query}
        onKeyDown={onKeyDown}
        onChange={(text) => {
          setQuery(text)
          setActive(0)
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Pages and features" className={styles.places} tabIndex={-1}>
        {places.map((place, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field keeps the focus and handles the keys.
          <div
            key={place.id}
            id={`${id}-${index}`}
            ref={index === active ? scrollIntoView : undefined}
            role="option"
            aria-selected={index === active}
            className={styles.place}
            onPointerEnter={() => setActive(index)}
            onClick={() => open(place)}
          >
            <bdi>{place.title}</bdi>
            {place.feature && <code>{place.feature}</code>}
          </div>
        ))}
      </div>
      {places.length === 0 && <p role="status">No page or feature has this name.</p>}
    </div>
  )
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
