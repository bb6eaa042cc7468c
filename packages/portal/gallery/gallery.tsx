import { createRoot } from 'react-dom/client'
import '@gatehouse/ui/layout/theme.css'
import './gallery.css'
import { groups, idOf } from './scenes.ts'

const variants = [
  { theme: 'light', size: 'phone' },
  { theme: 'dark', size: 'phone' },
  { theme: 'light', size: 'desktop' },
  { theme: 'dark', size: 'desktop' },
]

/** Every page in every state and every component, in two sizes and both themes. Frames load when they become visible. */
const Gallery = () => (
  <>
    <nav aria-label="Scenes">
      <h1>Gatehouse, all of it</h1>
      {groups.map(group => (
        <section key={group.name}>
          <h2>{group.name}</h2>
          {group.scenes.map(scene => (
            <a key={scene.name} href={`#${idOf(group, scene)}`}>
              {scene.name}
            </a>
          ))}
        </section>
      ))}
    </nav>
    <div className="scenes">
      {groups.map(group => (
        <section key={group.name}>
          <h2>{group.name}</h2>
          {group.scenes.map(scene => (
            <section key={scene.name} id={idOf(group, scene)}>
              <h3>
                <a href={`frame.html?scene=${idOf(group, scene)}`}>{scene.name}</a>
              </h3>
              <div className="sights">
                {variants.map(({ theme, size }) => (
                  <figure key={theme + size}>
                    <div className={`pane ${size}`}>
                      <iframe
                        loading="lazy"
                        title={`${group.name}, ${scene.name}, ${theme}, ${size}`}
                        src={`frame.html?scene=${idOf(group, scene)}&theme=${theme}`}
                      />
                    </div>
                    <figcaption>
                      {size}, {theme}
                    </figcaption>
                  </figure>
                ))}
              </div>
            </section>
          ))}
        </section>
      ))}
    </div>
  </>
)

const root = document.getElementById('gallery')
if (root) createRoot(root).render(<Gallery />)
