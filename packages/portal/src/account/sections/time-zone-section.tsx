import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Select } from '@gatehouse/ui/fields/select.tsx'
import { useRef } from 'react'
import { outcomeOf, useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { accountTexts } from '../../messages/current.ts'
import type { SectionProps } from '../section-props.ts'
import { ownZone, zonesByRegion } from '../time-zones.ts'
import { ChoiceSection } from './choice-section.tsx'
import styles from './time-zone-section.module.css'

export type TimeZoneProps = SectionProps & { timeZone: string; api: Pick<PortalApi, 'userTimeZone'> }

const words = () => accountTexts.timeZone

/** Names of time zones are the same in every language, except for their first part. */
const regionText = (region: string): string => Object.entries(words().regions).find(([name]) => name === region)?.[1] ?? region

/** The time zone for dates and times. */
export const TimeZoneSection = (props: TimeZoneProps) => {
  const { timeZone, username, api } = props
  const actions = useActions<'change'>(props)
  const select = useRef<HTMLSelectElement>(null)

  const change = (userTZLabel: string) =>
    void actions.start(async signal => outcomeOf(await api.userTimeZone({ userTZLabel }, signal), words().done))

  return (
    <ChoiceSection
      id="time-zone"
      words={words()}
      username={username}
      actions={actions}
      current={<bdi>{timeZone}</bdi>}
      name="userTZLabel"
      change={change}
      field={() => (
        <div>
          <Select ref={select} label={words().heading} name="userTZLabel" defaultValue={timeZone}>
            {zonesByRegion(timeZone).map(({ region, zones }) => (
              <optgroup key={region} label={regionText(region)}>
                {zones.map(zone => (
                  <option key={zone} value={zone}>
                    {zone.replaceAll('_', ' ')}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
          {ownZone() !== timeZone && (
            <div className={styles.suggestion}>
              <LinkButton
                onClick={() => {
                  if (select.current) select.current.value = ownZone()
                }}
              >
                {words().suggest(ownZone())}
              </LinkButton>
            </div>
          )}
        </div>
      )}
    />
  )
}
