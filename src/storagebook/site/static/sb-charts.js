// Draws the charts of a page with the local Vega bundle, as SVG that takes the page's colours.
(function () {
  "use strict";

  const OPTIONS = { renderer: "svg", actions: false, tooltip: { theme: "storagebook" } };

  async function draw(figure) {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const canvas = figure.querySelector(".sb-canvas");
    const result = await window.vegaEmbed(canvas, spec, OPTIONS);
    figure.vegaView = result.view;
    figure.dataset.drawn = "yes";
  }

  // A calculator can be set back to the values that it started with.
  function addReset(figure) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sb-reset";
    button.textContent = "Back to the start values";
    button.addEventListener("click", () => {
      figure.vegaView.finalize();
      draw(figure);
    });
    figure.querySelector(".sb-canvas").after(button);
  }

  // Vega follows the window's width; the page's column also changes when a side bar opens.
  function followWidth(figure) {
    let width = figure.clientWidth;
    new ResizeObserver(() => {
      if (figure.clientWidth === width) return;
      width = figure.clientWidth;
      window.dispatchEvent(new Event("resize"));
    }).observe(figure);
  }

  async function start() {
    // text is measured when it is laid out, so the font has to be there first
    await Promise.all([document.fonts.load('12px "Source Sans 3"'), document.fonts.ready]);
    for (const figure of document.querySelectorAll("figure.sb-chart")) {
      try {
        await draw(figure);
      } catch (error) {
        console.error(`chart ${figure.id} cannot be drawn`, error);
        continue;
      }
      if (figure.classList.contains("sb-calculator")) addReset(figure);
      followWidth(figure);
    }
    document.documentElement.dataset.charts = "drawn";
  }

  start();
})();
