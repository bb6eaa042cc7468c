import { forgetErrorInTitle } from './title.ts'

/** The props that the server wrote into the page. */
export const serverProps = <Props>(isProps: (props: unknown) => props is Props): Props => {
  const props: unknown = JSON.parse(document.getElementById('gatehouse-props')?.textContent ?? 'null')
  if (!isProps(props)) throw new TypeError('The page has no valid props in #gatehouse-props')
  forgetErrorInTitle()
  return props
}
