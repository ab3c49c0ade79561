import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { TargetDraft } from '../../rules/targets.ts'

/** Which targets are open: the one in the address, the only one, or those that were opened. Opening one closes the others. */
export function useOpenTarget(targets: readonly TargetDraft[]) {
  const { target: addressed } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        targets.filter(({ id }) => targets.length === 1 || (id !== undefined && id === addressed)).map(({ key }) => key)
      )
  )
  const show = (key: string | undefined) => {
    setOpenKeys(new Set(key === undefined ? [] : [key]))
    const id = targets.find((target) => target.key === key)?.id
    const withTarget = ({ target: _, ...search }: { target?: string }) =>
      id === undefined ? search : { ...search, target: id }
    void navigate({ to: '.', search: withTarget, replace: true, resetScroll: false })
  }
  return {
    openKeys,
    open: (key: string) => show(key),
    toggle: (key: string) => show(openKeys.has(key) ? undefined : key)
  }
}
