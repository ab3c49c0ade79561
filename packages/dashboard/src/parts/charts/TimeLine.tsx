import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { dateFormat } from '../../look/dateFormat.ts'
import { shownTimeZone } from '../../look/preferences.ts'
import styles from './TimeLine.module.css'

interface Props {
  /** The starts of periods in order, with their values. */
  readonly rows: readonly { readonly date: string; readonly value: number }[]
  /** What the picture shows, for those who do not see it. */
  readonly label: string
}

const HEIGHT = 280

/** A line of values over time. Loads uPlot, so pages import it lazily. */
export function TimeLine({ rows, label }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const data: uPlot.AlignedData = [rows.map(({ date }) => Date.parse(date) / 1000), rows.map(({ value }) => value)]
    let plot: uPlot | undefined
    const draw = () => {
      plot?.destroy()
      plot = new uPlot(optionsOf(element), data, element)
    }
    draw()
    const sizes = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }))
    sizes.observe(element)
    const themes = new MutationObserver(draw)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', draw)
    return () => {
      sizes.disconnect()
      themes.disconnect()
      scheme.removeEventListener('change', draw)
      plot?.destroy()
    }
  }, [rows])
  return <div ref={box} role="img" aria-label={label} className={styles.chart} />
}

/** A canvas knows no custom properties, so colours are read when it is drawn. */
function optionsOf(element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const [line, soft, grid] = [color('--series-1'), color('--soft'), color('--line')]
  const axis = { stroke: soft, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    // Ticks are at full hours and days of the chosen zone.
    tzDate: (time) => uPlot.tzDate(new Date(time * 1000), shownTimeZone()),
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, __, highest) => [0, Math.max(1, highest * 1.08)] } },
    axes: [
      { ...axis, values: (_, times) => times.map(formatTime) },
      {
        ...axis,
        size: 64,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7, 1e8, 1e9]
      }
    ],
    series: [{}, { stroke: line, width: 2, points: { show: true, size: 5, fill: line } }]
  }
}

const date = dateFormat({ day: 'numeric', month: 'short' })
const hour = dateFormat({ hour: '2-digit', minute: '2-digit' })

/** The hour; at midnight the day. `time` is in seconds. */
function formatTime(time: number): string {
  const text = hour(time * 1000)
  return text.startsWith('00:') ? date(time * 1000) : text
}
