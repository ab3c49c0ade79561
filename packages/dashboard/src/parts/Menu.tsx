import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  Suspense,
  useId,
  useRef,
  useState
} from 'react'
import { lazyPart } from '../lazyPage.ts'

const load = () => import('./menu/MenuPopup.tsx')
const MenuPopup = lazyPart(() => load().then((module) => module.MenuPopup))

export const MenuItem = lazyPart(() => load().then((module) => module.MenuItem))
export const MenuSeparator = lazyPart(() => load().then((module) => module.MenuSeparator))
/** A heading for the items after it. */
export const MenuHeading = lazyPart(() => load().then((module) => module.MenuHeading))

interface Props {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<ComponentProps<'button'>>
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

/**
 * A menu of actions or links. Until it opens first it is its button alone: a list has one in each row, and the first page
 * does not wait for the code of menus.
 */
export function Menu({ trigger, children, align = 'start' }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const props: ComponentProps<'button'> = {
    id,
    ref: button,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => {
      setWasOpened(true)
      setOpen(true)
    },
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      event.currentTarget.click()
    }
  }
  return (
    <>
      {cloneElement(trigger, props)}
      {wasOpened && (
        <Suspense fallback={null}>
          <MenuPopup button={button} labelledBy={id} isOpen={isOpen} onClose={() => setOpen(false)} align={align}>
            {children}
          </MenuPopup>
        </Suspense>
      )}
    </>
  )
}

/** Loads the code before the button is pressed. A failure shows when it is. */
function preload() {
  load().catch(() => undefined)
}
