import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useConnection } from '../api/connection.ts'
import { refetchAfterWrite } from '../api/refetch.ts'
import { Button } from '../components/Button.tsx'
import { Banner } from '../components/States.tsx'
import { notify } from '../components/Toasts.ts'
import { dateFormat } from '../preferences/dateFormat.ts'

const RETRY_SECONDS = 8
const time = dateFormat({ timeStyle: 'short' })

/** Says that the server is not responding, and retries until it does; or that it has another version. */
export function ConnectionStrip() {
  const { awaySince, isOutdated } = useConnection()
  const client = useQueryClient()
  const [seconds, setSeconds] = useState(RETRY_SECONDS)
  const wasAway = useRef(false)
  useEffect(() => {
    if (awaySince === undefined) {
      if (wasAway.current) {
        // A server that is starting answers some requests and not others.
        notify({ id: 'connection', text: 'Reconnected.' })
        void refetchAfterWrite(client)
      }
      wasAway.current = false
      return
    }
    wasAway.current = true
    setSeconds(RETRY_SECONDS)
    const timer = setInterval(() => {
      setSeconds((left) => (left > 1 ? left - 1 : RETRY_SECONDS))
    }, 1000)
    const attempts = setInterval(() => void client.refetchQueries({ queryKey: ['getSession'] }), RETRY_SECONDS * 1000)
    return () => {
      clearInterval(timer)
      clearInterval(attempts)
    }
  }, [awaySince, client])
  if (awaySince === undefined) return isOutdated ? <Outdated /> : null
  return (
    <Banner tone="danger">
      <span role="status">Disconnected since {time(awaySince)}.</span>
      <span aria-hidden="true">Retrying in {seconds} s.</span>
    </Banner>
  )
}

function Outdated() {
  return (
    <Banner tone="brand">
      <span role="status">A new version is available. A reload keeps your drafts.</span>
      <Button onClick={() => location.reload()}>Reload</Button>
    </Banner>
  )
}
