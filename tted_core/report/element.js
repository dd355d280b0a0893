// Elements of the components, without markup: every text of a map is set as text; none becomes HTML.
const SPACES = { svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML" };

// `name` is "div" or, of another language, "svg:path"; `attributes` an object, or just the class.
function element(name, attributes = {}, ...children) {
  const [tag, space] = name.split(":").reverse();
  const made = space ? document.createElementNS(SPACES[space], tag) : document.createElement(tag);
  const given = typeof attributes === "string" ? (attributes && { class: attributes }) : attributes;
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}
